import type { Clock } from '../contract/index.ts';

export type Loop = {
  /** Reschedules the loop according to `nextAt`. */
  wake(): void;
  /** Starts no further pass and waits for the running one. */
  stop(): Promise<void>;
};

type Parts = {
  /** When the next pass is due. */
  nextAt: () => number;
  /** Must not throw; should return early once it is stopped. */
  work: (isStopped: () => boolean) => Promise<void>;
  monotonicNow: Clock;
};

/** Minimum interval between two passes, in milliseconds. */
const minIntervalMs = 10;

/** Runs `work` whenever it is due, never concurrently. Starts with the first `wake`. */
export function createLoop({ nextAt, work, monotonicNow }: Parts): Loop {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  const run = (): void => {
    running = work(() => isStopped).finally(() => {
      running = null;
      wake();
    });
  };
  const wake = (): void => {
    if (isStopped || running !== null) return;
    clearTimeout(timer);
    timer = setTimeout(run, Math.max(minIntervalMs, nextAt() - monotonicNow()));
  };
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
