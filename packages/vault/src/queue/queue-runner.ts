import type { Clock } from '../contract/index.ts';
import { nextChange } from './next-change.ts';
import { removeUnusedFiles, runClaim } from './run-claim.ts';
import type { RunOptions } from './run-claim.ts';
import type { UpdateQueue } from './update-queue.ts';

export type QueueRunner = {
  /** Call when another process may have accepted an update. Changes through the same queue object are noticed automatically. */
  wake(): void;
  /** Asks the handler to stop, waits for it and releases its claim. */
  stop(): Promise<void>;
};

type Parts = Omit<RunOptions, 'pollIntervalMs'> & {
  queue: UpdateQueue;
  /** Checked before the next update is started; while it returns false, no update is started. Must not throw. */
  isReady?: () => boolean;
  clock: Clock;
  /** Interval for renewing a claim and for polling an idle queue for changes by other processes, in milliseconds. */
  pollIntervalMs?: number;
};

/** Processes the updates of a queue one at a time until it is stopped. Returns immediately. */
export function startQueueRunner(parts: Parts): QueueRunner {
  const { queue, handler, isReady = () => true, clock, onFailed, onError, pollIntervalMs = 2_000 } = parts;
  const stopSignal = new AbortController();
  let wakeSignal = new AbortController();

  /** Milliseconds until the next update is claimable or the next poll is due, whichever comes first. */
  const delayUntilNextMs = (): number => {
    const next = queue.peek();
    return next === null ? pollIntervalMs : Math.min(pollIntervalMs, next.claimableAt - clock());
  };

  const waitOrWake = async (wait: number): Promise<void> => {
    await nextChange(queue, wait, AbortSignal.any([wakeSignal.signal, stopSignal.signal]));
    wakeSignal = new AbortController();
  };

  const loop = async (): Promise<void> => {
    await removeUnusedFiles(queue, onError);
    while (!stopSignal.signal.aborted) {
      try {
        const wait = delayUntilNextMs();
        if (wait > 0) await waitOrWake(wait);
        else if (!isReady()) await waitOrWake(pollIntervalMs);
        else {
          const claim = queue.claim();
          // Another process claimed it first.
          if (claim === null) await waitOrWake(1);
          else
            await runClaim(queue, claim, { handler, onFailed, onError, pollIntervalMs }, stopSignal.signal);
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
