import { setImmediate } from 'node:timers/promises';

/**
 * Creates a function that long-running work awaits regularly. It yields to the event loop when this much time has
 * passed.
 */
export function createYielder(intervalMs: number): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < intervalMs) return;
    await setImmediate();
    since = performance.now();
  };
}
