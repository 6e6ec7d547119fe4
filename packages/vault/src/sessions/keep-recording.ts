import { drain } from './drain.ts';
import type { DrainParts } from './drain.ts';

const every = 60_000;

/** Brings sessions into the vault while this process serves it: at once, and every minute. `stop` waits for what is under way. */
export function keepRecording(parts: DrainParts & { onError: (error: unknown) => void }): {
  stop(): Promise<void>;
} {
  let working = Promise.resolve();
  const work = (): void => {
    working = working
      .then(async () => (await drain(parts)).failed.forEach((error) => parts.onError(error)))
      .catch(parts.onError);
  };
  work();
  const timer = setInterval(work, every);
  return {
    async stop() {
      clearInterval(timer);
      await working;
    },
  };
}
