import { setImmediate } from 'node:timers/promises';
import { createFairQueue } from '../../contract/index.ts';

/**
 * Resolves one waiting call per iteration of the event loop, round-robin by key. A burst of calls then delays the steps
 * of other work by one call each, not by the whole burst.
 */
export function createRoundRobinQueue(): (key: string) => Promise<void> {
  const runFairly = createFairQueue();
  return (key) => runFairly(key, () => setImmediate());
}
