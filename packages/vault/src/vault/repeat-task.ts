import { isDay } from '../contract/index.ts';
import { nextTaskDay, parseRecurrence } from './recurrence.ts';
import { moveMarks, startDay } from './task-marks.ts';

/** What became of the repetition of a task that was done. */
export type RepeatResult = {
  /** `unknown`: the rule is not understood. `ended`: there is no further day. In both cases there is no next task. */
  kind: 'repeated' | 'unknown' | 'ended';
  /** In the words of the note. */
  rule: string;
  /** The day of the next task; null if there is none, or if the task has no date. */
  day: string | null;
};

type DoneTask = {
  repeat: string;
  /** The deadline or scheduled day; null if it has none. */
  due: string | null;
  /** The lines with its marks. */
  lines: readonly string[];
  /** The day on which it was done. */
  done: string;
};

/** The lines of the task that follows a repeating one, moved to its day. Null if there is none. */
export function repeatTask({ repeat, due, lines, done }: DoneTask): {
  result: RepeatResult;
  next: string[] | null;
} {
  const rule = parseRecurrence(repeat);
  const from = due ?? startDay(lines.join('\n'));
  if (rule === null || (from !== null && !isDay(from)))
    return { result: { kind: 'unknown', rule: repeat, day: null }, next: null };
  const day = nextTaskDay(rule, from, done);
  if (day === null) return { result: { kind: 'ended', rule: repeat, day: null }, next: null };
  const days = from === null ? 0 : daysBetween(from, day);
  return {
    result: { kind: 'repeated', rule: repeat, day: from === null ? null : day },
    next: lines.map((line) => moveMarks(line, days, done)),
  };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}
