import { setImmediate } from 'node:timers/promises';

/** How long work on a large file may block the event loop before it yields. */
const defaultIntervalMs = 15;

/**
 * Creates a function that long-running work awaits regularly. It yields to the event loop when this much time has
 * passed.
 */
export function createYielder(intervalMs = defaultIntervalMs): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < intervalMs) return;
    await setImmediate();
    since = performance.now();
  };
}
