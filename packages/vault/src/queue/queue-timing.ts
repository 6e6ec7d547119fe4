import type { UpdateState } from './update-queue.ts';

export type QueueOptions = {
  /** Duration of a lease. A worker that has not renewed its claim for this long counts as suspended or dead. */
  leaseMs: number;
  /** Delay before the second attempt; each further delay is four times as long. */
  backoffMs: number;
  maxAttempts: number;
  /** The longest delay while something that an update needs is unavailable. */
  maxWaitMs: number;
};

export const defaultOptions: QueueOptions = {
  leaseMs: 10_000,
  backoffMs: 5_000,
  maxAttempts: 3,
  maxWaitMs: 300_000,
};

/** The delay before the next attempt, in milliseconds. */
export function backoffMsAfter(attempts: number, { backoffMs }: QueueOptions): number {
  return backoffMs * 4 ** Math.max(0, attempts - 1);
}

/** The delay before the next try after this many tries that did not count as attempts; it doubles each time. */
export function waitMsAfter(tries: number, { backoffMs, maxWaitMs }: QueueOptions): number {
  return Math.min(maxWaitMs, backoffMs * 2 ** Math.max(0, tries - 1));
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
  const longest = Math.max(backoffMsAfter(row.attempts, timing), timing.maxWaitMs);
  return at > now + (isRunning ? timing.leaseMs : longest) ? now : at;
}
