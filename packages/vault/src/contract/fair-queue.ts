/** Runs `work` when it is the turn of `caller`. If `signal` is aborted before that, the work is dropped from the queue. */
export type RunFairly = <Value>(
  caller: string,
  work: () => Promise<Value>,
  signal?: AbortSignal,
) => Promise<Value>;

/**
 * Creates a queue that runs one task at a time and gives each caller a turn after the other, so that a caller with many
 * tasks delays the others by one task at most. A failed task rejects its own promise and does not affect the others.
 */
export function createFairQueue(): RunFairly {
  /** Tasks that wait, by caller; the caller whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let isBusy = false;

  const moveToEnd = (caller: string): void => {
    const tasks = waiting.get(caller);
    if (tasks === undefined) return;
    waiting.delete(caller);
    waiting.set(caller, tasks);
  };

  const startNext = (): void => {
    const [next] = waiting;
    isBusy = next !== undefined;
    if (next === undefined) return;
    const [caller, tasks] = next;
    const start = tasks.shift();
    if (tasks.length === 0) waiting.delete(caller);
    start?.();
  };

  const waitForTurn = (caller: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const tasks = waiting.get(caller) ?? [];
      waiting.set(caller, tasks);
      const start = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        tasks.splice(tasks.indexOf(start), 1);
        if (tasks.length === 0) waiting.delete(caller);
        reject(signal?.reason as Error);
      };
      tasks.push(start);
      signal?.addEventListener('abort', leave, { once: true });
    });

  return async (caller, work, signal) => {
    signal?.throwIfAborted();
    if (isBusy) await waitForTurn(caller, signal);
    isBusy = true;
    try {
      return await work();
    } finally {
      moveToEnd(caller);
      startNext();
    }
  };
}
