import { reasonFrom } from '../contract/index.ts';
import type { Reason, UpdateFile } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import type { RetryPolicy, Claim, QueuedUpdate, UpdateQueue } from './update-queue.ts';

/** The outcome of an attempt. The reason for a failure is shown to the user. */
export type AttemptResult =
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; reason: Reason; again: RetryPolicy };

export type UpdateJob = {
  update: QueuedUpdate;
  /** All attempts are used up: the handler must only determine whether the update was done. */
  hasExhaustedAttempts: boolean;
  /** Whether a failure now would park the update. */
  isFinalAttempt(): boolean;
  files(): Promise<UpdateFile[]>;
  /** The progress saved by an earlier attempt; null if there is none. */
  progress(): Uint8Array | null;
  saveProgress(progress: Uint8Array): void;
};

export type RunOptions = {
  /**
   * Processes one update. It may run again after a crash, so its effects must be idempotent by update id. When the
   * signal is aborted, it must throw; a failure that it returns counts as an attempt.
   */
  handler: (work: UpdateJob, signal: AbortSignal) => Promise<AttemptResult>;
  /** Called after the queue has recorded a failed attempt. Must not throw. */
  onFailed?: ((id: string, reason: Reason) => void) | undefined;
  /** Called for errors other than failures that the handler returned. Must not throw. */
  onError: (error: unknown) => void;
  /** Interval for renewing the claim, in milliseconds. */
  pollIntervalMs: number;
};

/** Processes a claimed update and records the outcome in the queue, which then drops its files. Releases the claim when `stop` is aborted. */
export async function runClaim(
  queue: UpdateQueue,
  claim: Claim,
  { handler, onFailed, onError, pollIntervalMs }: RunOptions,
  stop: AbortSignal,
): Promise<void> {
  const fail = (reason: Reason, again?: RetryPolicy): void => {
    if (queue.fail(claim, reason, again)) onFailed?.(claim.update.id, reason);
  };
  // A handler that has lost its claim must stop, because another process may have started the same update.
  const claimLost = new AbortController();
  const renewing = setInterval(() => {
    try {
      if (!queue.renew(claim)) claimLost.abort(new Error('another process took over'));
    } catch (error) {
      // The disk may be busy or full; the lease is long enough for another attempt.
      onError(error);
    }
  }, pollIntervalMs);
  const signal = AbortSignal.any([stop, claimLost.signal]);
  try {
    const attempt = await withSpan({ name: 'update' }, () => handler(createJob(queue, claim), signal));
    if (attempt.kind === 'done') queue.complete(claim, attempt.result);
    else fail(attempt.reason, attempt.again);
  } catch (error) {
    if (stop.aborted) queue.release(claim);
    else fail(reasonFrom(error));
    if (!signal.aborted) onError(error);
  } finally {
    clearInterval(renewing);
  }
  if (claim.update.files.length > 0) await removeUnusedFiles(queue, onError);
}

export async function removeUnusedFiles(
  queue: UpdateQueue,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    await queue.removeUnusedFiles();
  } catch (error) {
    // Unused files only take up space; the next update retries the removal.
    onError(error);
  }
}

function createJob(queue: UpdateQueue, claim: Claim): UpdateJob {
  const { update, hasExhaustedAttempts } = claim;
  let hasNewProgress = false;
  return {
    update,
    hasExhaustedAttempts,
    isFinalAttempt: () => claim.isFinalAttempt && !hasNewProgress,
    files: () => queue.readFiles(update),
    progress: () => queue.loadProgress(update.id),
    saveProgress(progress) {
      hasNewProgress = queue.saveProgress(claim, progress) || hasNewProgress;
    },
  };
}
