import type { UpdateState } from './port.ts';

export type QueueTiming = {
  /** A worker that gave no sign for this long is asleep or dead. */
  lease: number;
  /** Before the second attempt; four times as long before each further one. */
  backoff: number;
  attempts: number;
};

export const usualTiming: QueueTiming = { lease: 10_000, backoff: 5_000, attempts: 3 };

/** How long an update waits for its next attempt, in milliseconds. */
export function waitAfter(attempts: number, { backoff }: QueueTiming): number {
  return backoff * 4 ** Math.max(0, attempts - 1);
}

/** When a row may be claimed. A time further away than any wait was written down while the clock was wrong: it is due. */
export function dueAt(
  row: { state: UpdateState; attempts: number; not_before: number; leased_until: number },
  now: number,
  timing: QueueTiming,
): number {
  const isRunning = row.state === 'running';
  const at = isRunning ? row.leased_until : row.not_before;
  return at > now + (isRunning ? timing.lease : waitAfter(row.attempts, timing)) ? now : at;
}
