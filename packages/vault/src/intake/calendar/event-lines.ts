import type ICAL from 'ical.js';
import { addDays } from '../../contract/index.ts';
import { findOccurrence, occursOn, parseRecurrence } from '../../vault/index.ts';
import type { Recurrence } from '../../vault/index.ts';
import type { WallTime } from './event-zone.ts';
import { formatEventLine } from './format-event-line.ts';
import { listUnusualDays } from './list-unusual-days.ts';
import { mapRule } from './map-rule.ts';
import type { CalendarEvent } from './parse-events.ts';

export type EventLine = { day: string; isRepeating: boolean; text: string };

export type EventLines = {
  lines: EventLine[];
  /** `bounded`: only the days around now are listed. `unsupported`: only the first one is. */
  loss: 'bounded' | 'unsupported' | null;
};

export type ListContext = {
  today: string;
  /** The maximum number of occurrences that are computed for a whole calendar. */
  budget: { occurrences: number };
};

/** The days of a repetition that no line can express are listed from a year before until two years after the import. */
const listedDays = { before: 366, after: 731 };
const maxListed = 1_000;
const maxExceptions = 100;
/** The occurrences of these days have to be at the same local time to be one line: those of a year. */
const comparedDays = { before: 31, after: 366 };

/** Lists the days of a repetition from one of them on. */
type Days = (from: string) => Iterable<string>;

/** The lines of an event. On the days in `replaced`, another event takes its place. */
export function listEventLines(
  event: CalendarEvent,
  replaced: readonly string[],
  context: ListContext,
): EventLines {
  const { start, rules, added } = event;
  const excluded = new Set([...event.excluded, ...replaced]);
  const others = added.filter(({ day }) => !excluded.has(day)).map((time) => formatOccurrence(event, time));
  const [rule, ...further] = rules;
  const first = formatOccurrence(event, start);
  if (rule === undefined) return { lines: excluded.has(start.day) ? others : [first, ...others], loss: null };
  const text = further.length === 0 ? mapRule(rule, start.day) : null;
  const recurrence = text === null ? null : parseRecurrence(text);
  const unusual = recurrence === null && further.length === 0 ? listUnusualDays(rule, start.day) : null;
  const days: Days | null =
    recurrence === null ? unusual : (from) => occurrences(recurrence, start.day, from);
  if (days === null) return { lines: [first, ...others], loss: 'unsupported' };
  const counted: Days = function* count(from) {
    for (const day of days(from)) {
      if ((context.budget.occurrences -= 1) < 0) throw new Error('too many occurrences');
      yield day;
    }
  };
  const last = event.until ?? findCounted(rule, start.day, counted);
  const one =
    recurrence &&
    formatRepeating(event, `${text}`, { recurrence, last, excluded, days: counted, ...context });
  if (one !== null) return { lines: [one, ...others], loss: null };
  const { listed, isBounded } = listDays(counted, start.day, last, context.today);
  const lines = listed
    .filter((day) => !excluded.has(day))
    .map((day) => formatOccurrence(event, { ...start, day }));
  return { lines: [...lines, ...others], loss: isBounded ? 'bounded' : null };
}

function* occurrences(
  recurrence: Recurrence,
  start: string,
  from: string,
): Generator<string, void, undefined> {
  for (let day = findOccurrence(recurrence, start, from); day !== null;) {
    yield day;
    day = findOccurrence(recurrence, start, addDays(day, 1));
  }
}

/** The last day of a rule with a number of occurrences; null if it has none. */
function findCounted({ count }: ICAL.Recur, start: string, days: Days): string | null {
  if (count === null || count === undefined || count < 1) return null;
  let [last, number] = [start, 0];
  for (const day of days(start)) {
    if (number === count) break;
    [last, number] = [day, number + 1];
  }
  return last;
}

function listDays(
  days: Days,
  start: string,
  last: string | null,
  today: string,
): { listed: string[]; isBounded: boolean } {
  const [from, until] = [addDays(today, -listedDays.before), addDays(today, listedDays.after)];
  const listed: string[] = [];
  for (const day of days(from)) {
    if (last !== null && day > last) break;
    if (day > until || listed.length === maxListed) return { listed, isBounded: true };
    listed.push(day);
  }
  return { listed, isBounded: start < from };
}

type Repetition = ListContext & {
  recurrence: Recurrence;
  last: string | null;
  excluded: ReadonlySet<string>;
  days: Days;
};

/** One line for all occurrences; null if they are not at the same local time, last several days or have too many exceptions. */
function formatRepeating(
  event: CalendarEvent,
  rule: string,
  { recurrence, last, excluded, days, today }: Repetition,
): EventLine | null {
  const { start, toLocal } = event;
  const longest = start.clock === null ? start.day : addDays(start.day, 1);
  if (event.end !== null && event.end.day > longest) return null;
  const local = toLocal(start);
  const isSame = (day: string): boolean => {
    const there = toLocal({ ...start, day });
    return there.day === day && there.clock === local.clock;
  };
  const until = last ?? '9999';
  const end = start.day > today ? start.day : today;
  for (const day of days(addDays(today, -comparedDays.before))) {
    if (day > until || day > addDays(end, comparedDays.after)) break;
    if (!isSame(day)) return null;
  }
  const except = [...excluded]
    .filter((day) => occursOn(recurrence, start.day, day) && day <= until)
    .toSorted();
  if (!isSame(start.day) || except.length > maxExceptions) return null;
  const ending = last === null ? '' : ` until ${last}`;
  const exceptions = except.length === 0 ? '' : ` except ${except.join(', ')}`;
  return { ...formatOccurrence(event, start, `${rule}${ending}${exceptions}`), isRepeating: true };
}

/** The line of an event at one of its times, in the local time of the vault. */
function formatOccurrence(event: CalendarEvent, time: WallTime, repeat = ''): EventLine {
  const { title, place, start, end, toLocal } = event;
  const local = toLocal(time);
  const localEnd = end && toLocal({ ...end, day: addDays(time.day, daysBetween(start.day, end.day)) });
  const text = formatEventLine({ start: local, end: localEnd, title, place, repeat });
  return { day: local.day, isRepeating: false, text };
}

function daysBetween(from: string, to: string): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000;
}
