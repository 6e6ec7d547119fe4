import type { UpdateState } from './update-queue.ts';

export type QueueOptions = {
  /** Duration of a lease. A worker that has not renewed its claim for this long counts as suspended or dead. */
  leaseMs: number;
  /** Delay before the second attempt; each further delay is four times as long. */
  backoffMs: number;
  maxAttempts: number;
};

export const defaultOptions: QueueOptions = { leaseMs: 10_000, backoffMs: 5_000, maxAttempts: 3 };

/** The delay before the next attempt, in milliseconds. */
export function backoffMsAfter(attempts: number, { backoffMs }: QueueOptions): number {
  return backoffMs * 4 ** Math.max(0, attempts - 1);
}

/**
 * When a row becomes claimable. A time beyond the longest possible wait was written with a wrong clock and counts as
 * due.
 */
export function dueAt(
  row: { state: UpdateState; attempts: number; not_before: number; leased_until: number },
  now: number,
  timing: QueueOptions,
): number {
  const isRunning = row.state === 'running';
  const at = isRunning ? row.leased_until : row.not_before;
  return at > now + (isRunning ? timing.leaseMs : backoffMsAfter(row.attempts, timing)) ? now : at;
}
