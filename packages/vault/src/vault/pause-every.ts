import { setImmediate } from 'node:timers/promises';

/** To be awaited in long work now and then: once it has run for this long, others get their turn. */
export function pauseEvery(milliseconds: number): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < milliseconds) return;
    await setImmediate();
    since = performance.now();
  };
}
