import { reasonFrom } from '../contract/index.ts';
import type { Clock, Reason, UpdateFile } from '../contract/index.ts';
import { withSpan } from '../trace/index.ts';
import { nextChange } from './next-change.ts';
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

export type QueueRunner = {
  /** Call when another process may have accepted an update. Changes through the same queue object are noticed automatically. */
  wake(): void;
  /** Asks the handler to stop, waits for it and releases its claim. */
  stop(): Promise<void>;
};

type Parts = {
  queue: UpdateQueue;
  /**
   * Processes one update. It may run again after a crash, so its effects must be idempotent by update id. When the
   * signal is aborted, it must throw; a failure that it returns counts as an attempt.
   */
  handler: (work: UpdateJob, signal: AbortSignal) => Promise<AttemptResult>;
  /** Checked before the next update is started; while it returns false, no update is started. Must not throw. */
  isReady?: () => boolean;
  clock: Clock;
  /** Called after the queue has recorded a failed attempt. Must not throw. */
  onFailed?: (id: string, reason: Reason) => void;
  /** Called for errors other than failures that the handler returned. Must not throw. */
  onError: (error: unknown) => void;
  /** Interval for renewing a claim and for polling an idle queue for changes by other processes, in milliseconds. */
  pollIntervalMs?: number;
};

/** Processes the updates of a queue one at a time until it is stopped. Returns immediately. */
export function startQueueRunner(parts: Parts): QueueRunner {
  const { queue, handler, isReady = () => true, clock, onFailed, onError, pollIntervalMs = 2_000 } = parts;
  const stopSignal = new AbortController();
  let wakeSignal = new AbortController();

  const fail = (claim: Claim, reason: Reason, again?: RetryPolicy): void => {
    if (queue.fail(claim, reason, again)) onFailed?.(claim.update.id, reason);
  };

  const runClaim = async (claim: Claim): Promise<void> => {
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
    const signal = AbortSignal.any([stopSignal.signal, claimLost.signal]);
    try {
      const attempt = await withSpan({ name: 'update' }, () => handler(createJob(queue, claim), signal));
      if (attempt.kind === 'done') queue.complete(claim, attempt.result);
      else fail(claim, attempt.reason, attempt.again);
    } catch (error) {
      if (stopSignal.signal.aborted) queue.release(claim);
      else fail(claim, reasonFrom(error));
      if (!signal.aborted) onError(error);
    } finally {
      clearInterval(renewing);
    }
  };

  /** Milliseconds until the next update is claimable or the next poll is due, whichever comes first. */
  const delayUntilNextMs = (): number => {
    const next = queue.peek();
    return next === null ? pollIntervalMs : Math.min(pollIntervalMs, next.claimableAt - clock());
  };

  const waitOrWake = async (wait: number): Promise<void> => {
    await nextChange(queue, wait, AbortSignal.any([wakeSignal.signal, stopSignal.signal]));
    wakeSignal = new AbortController();
  };

  const tidy = async (): Promise<void> => {
    try {
      await queue.removeUnusedFiles();
    } catch (error) {
      // Unused files only take up space; the next update retries the removal.
      onError(error);
    }
  };

  const loop = async (): Promise<void> => {
    await tidy();
    while (!stopSignal.signal.aborted) {
      try {
        const wait = delayUntilNextMs();
        if (wait > 0) await waitOrWake(wait);
        else if (!isReady()) await waitOrWake(pollIntervalMs);
        else {
          const claim = queue.claim();
          // Another process claimed it first.
          if (claim === null) await waitOrWake(1);
          else {
            await runClaim(claim);
            if (claim.update.files.length > 0) await tidy();
          }
        }
      } catch (error) {
        onError(error);
        await waitOrWake(pollIntervalMs);
      }
    }
  };
  const running = loop();
  return {
    wake: () => wakeSignal.abort(),
    async stop() {
      stopSignal.abort(new Error('stopping'));
      await running;
    },
  };
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
