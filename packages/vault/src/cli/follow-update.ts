import type { Update } from '../app/index.ts';
import type { Step } from '../contract/index.ts';
import { updateOutcome, whenAgain } from './show-update.ts';

type Progress = {
  /** What is new, a line for each. */
  lines: string[];
  /** What is waited for at this moment; null while it is worked on. */
  waiting: string | null;
  /** Whether it is another wait than before. */
  isNew: boolean;
};

export function isOver({ state }: Update): boolean {
  return state !== 'waiting' && state !== 'running';
}

/** Tells what another process has done for an update since the last call. */
export function followUpdate(): (update: Update, steps: readonly Step[], now: number) => Progress {
  let [attempt, shownSteps, lastWait] = [0, 0, ''];
  return (update, steps, now) => {
    const { id, state, attempts, reason, nextAttemptAt } = update;
    const lines: string[] = [];
    if (attempts > 0 && attempts !== attempt) {
      [attempt, shownSteps] = [attempts, 0];
      lines.push(`working on ${id.slice(0, 8)}${attempts > 1 ? `, attempt ${attempts}` : ''}`);
    }
    // Attempts are counted from one again after one that got further.
    if (steps.length < shownSteps) shownSteps = 0;
    for (const { tool, about } of steps.slice(shownSteps)) lines.push(`  ${tool} ${about}`);
    shownSteps = steps.length;
    if (state !== 'waiting') return { lines, waiting: null, isNew: false };
    const wait = `${attempts}`;
    const isNew = wait !== lastWait;
    lastWait = wait;
    if (nextAttemptAt === null) return { lines, waiting: updateOutcome(update).text, isNew };
    if (isNew && reason !== null) lines.push(`failed: ${reason.text}`);
    return { lines, waiting: whenAgain(nextAttemptAt, now), isNew };
  };
}
