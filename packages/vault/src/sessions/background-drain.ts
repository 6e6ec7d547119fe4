import { drain } from './drain.ts';
import type { DrainOptions } from './drain.ts';

const drainIntervalMs = 60_000;

/**
 * Imports sessions into the vault while this process serves it: immediately and then every minute. `stop` waits for a
 * running import.
 */
export function startBackgroundDrain(parts: DrainOptions & { onError: (error: unknown) => void }): {
  stop(): Promise<void>;
} {
  let working = Promise.resolve();
  const work = (): void => {
    working = working
      .then(async () => (await drain(parts)).failed.forEach((error) => parts.onError(error)))
      .catch(parts.onError);
  };
  work();
  const timer = setInterval(work, drainIntervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
