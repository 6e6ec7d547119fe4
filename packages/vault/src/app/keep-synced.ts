import type { Clock } from '../contract/index.ts';
import { createLoop } from '../upkeep/index.ts';
import type { Events } from './events.ts';
import type { SyncHost } from './sync.ts';

type Parts = {
  sync: Pick<SyncHost, 'look' | 'run'>;
  events: Pick<Events, 'listen'>;
  /** Told of what went wrong, each time. Must not throw. */
  onError: (error: unknown) => void;
  timing?: Partial<typeof defaultTiming>;
};

/** In milliseconds. */
const defaultTiming = {
  every: 60_000,
  afterChange: 5_000,
  /** Between two times, while the remote cannot be reached. */
  longest: 30 * 60_000,
};

const elapsed: Clock = () => performance.now();

/**
 * Syncs again and again, if the person wants that: after changes and every minute, ever less often while it fails. `stop`
 * does not wait for a remote.
 */
export function keepSynced({ sync, events, onError, timing }: Parts): { stop(): Promise<void> } {
  const { every, afterChange, longest } = { ...defaultTiming, ...timing };
  const stopping = new AbortController();
  let next = elapsed();
  let failures = 0;
  let isSyncing = false;
  const work = async (): Promise<void> => {
    isSyncing = true;
    try {
      if ((await sync.look())?.isWatched === true) await sync.run(undefined, { signal: stopping.signal });
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!stopping.signal.aborted) onError(error);
    } finally {
      next = elapsed() + Math.min(every * 2 ** failures, longest);
      isSyncing = false;
    }
  };
  const loop = createLoop({ nextAt: () => next, work, elapsed });
  const ignore = events.listen(({ type }) => {
    // What a sync brings is no reason for another.
    if (type !== 'file-changed' || isSyncing || failures > 0) return;
    next = Math.min(next, elapsed() + afterChange);
    loop.wake();
  });
  loop.wake();
  return {
    async stop() {
      ignore();
      stopping.abort();
      await loop.stop();
    },
  };
}
