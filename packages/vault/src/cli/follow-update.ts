import { maxCommandWaitMs, waitsForModel } from '../app/index.ts';
import type { Update } from '../app/index.ts';
import type { Step } from '../contract/index.ts';
import { formatUpdateOutcome, formatNextAttempt } from './format-update.ts';

type Progress = {
  /** The new lines of output. */
  lines: string[];
  /** What the update is waiting for; null while it is being processed. */
  waiting: string | null;
  /** Whether `waiting` differs from the previous wait. */
  isNew: boolean;
};

/** Whether there is nothing more to follow: the update is finished, or its model stays unavailable. */
export function isOver(update: Update, now: number): boolean {
  const { state, nextAttemptAt } = update;
  if (state !== 'waiting') return state !== 'running';
  return waitsForModel(update) && (nextAttemptAt ?? 0) - now > maxCommandWaitMs;
}

/** Returns a function that reports what another process has done for an update since the last call. */
export function followUpdate(): (update: Update, steps: readonly Step[], now: number) => Progress {
  let [attempt, shownSteps, lastWait] = [0, 0, ''];
  return (update, steps, now) => {
    const { id, state, attempts, reason, nextAttemptAt } = update;
    const lines: string[] = [];
    if (attempts > 0 && attempts !== attempt) {
      [attempt, shownSteps] = [attempts, 0];
      lines.push(`working on ${id.slice(0, 8)}${attempts > 1 ? `, attempt ${attempts}` : ''}`);
    }
    // A new attempt may have the same number, because progress resets the count; it then has fewer steps.
    if (steps.length < shownSteps) shownSteps = 0;
    for (const { tool, about } of steps.slice(shownSteps)) lines.push(`  ${tool} ${about}`);
    shownSteps = steps.length;
    if (state !== 'waiting') return { lines, waiting: null, isNew: false };
    const wait = `${attempts} ${waitsForModel(update)}`;
    const isNew = wait !== lastWait;
    lastWait = wait;
    if (nextAttemptAt === null) return { lines, waiting: formatUpdateOutcome(update, 'en').text, isNew };
    if (isNew && reason !== null) lines.push(`failed: ${reason.text}`);
    return { lines, waiting: formatNextAttempt(nextAttemptAt, now), isNew };
  };
}
