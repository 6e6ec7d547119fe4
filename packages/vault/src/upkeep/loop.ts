import type { Clock } from '../contract/index.ts';

export type Loop = {
  /** Looks again at when there is something to do. */
  wake(): void;
  /** Begins nothing more, and waits for what is being done. */
  stop(): Promise<void>;
};

type Parts = {
  /** When there is something to do. */
  nextAt: () => number;
  /** Must not throw; leaves off where it can once it is stopped. */
  work: (isStopped: () => boolean) => Promise<void>;
  elapsed: Clock;
};

/** Between two times, whatever is due. */
const shortestRest = 10;

/** Works whenever there is something to do, never twice at the same time. It begins with the first `wake`. */
export function createLoop({ nextAt, work, elapsed }: Parts): Loop {
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
    timer = setTimeout(run, Math.max(shortestRest, nextAt() - elapsed()));
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
