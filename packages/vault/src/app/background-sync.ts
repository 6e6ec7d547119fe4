import type { Clock } from '../contract/index.ts';
import type { SyncReport } from '../sync/index.ts';
import { createLoop } from '../upkeep/index.ts';
import type { EventBus } from './events.ts';
import type { SyncHost } from './sync.ts';

type Dependencies = {
  sync: Pick<SyncHost, 'status' | 'run'>;
  events: Pick<EventBus, 'subscribe'>;
  /** Called for each failed sync. Must not throw. */
  onError: (error: unknown) => void;
  /** Called with the files that a sync left out, if they are others than those of the sync before. */
  onLeftOut: (files: SyncReport['leftOut']) => void;
  timing?: Partial<typeof defaultTiming>;
};

/** In milliseconds. */
const defaultTiming = {
  intervalMs: 60_000,
  changeDebounceMs: 5_000,
  /** The longest pause between two attempts while the remote cannot be reached. */
  maxBackoffMs: 30 * 60_000,
};

const monotonicNow: Clock = () => performance.now();

/**
 * Syncs after changes and every minute if background sync is enabled, backing off while it fails. `stop` aborts a running transfer
 * instead of waiting for the remote.
 */
export function startBackgroundSync({ sync, events, onError, onLeftOut, timing }: Dependencies): {
  stop(): Promise<void>;
} {
  const { intervalMs, changeDebounceMs, maxBackoffMs } = { ...defaultTiming, ...timing };
  const stopping = new AbortController();
  let next = monotonicNow();
  let failures = 0;
  let isSyncing = false;
  let known = '';
  const reportLeftOut = (files: SyncReport['leftOut']): void => {
    const paths = JSON.stringify(files.map(({ path }) => path).toSorted());
    if (paths !== known && files.length > 0) onLeftOut(files);
    known = paths;
  };
  const work = async (): Promise<void> => {
    isSyncing = true;
    try {
      if ((await sync.status())?.isWatched === true)
        reportLeftOut((await sync.run(undefined, { signal: stopping.signal })).leftOut);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!stopping.signal.aborted) onError(error);
    } finally {
      next = monotonicNow() + Math.min(intervalMs * 2 ** failures, maxBackoffMs);
      isSyncing = false;
    }
  };
  const loop = createLoop({ nextAt: () => next, work, monotonicNow });
  const unsubscribe = events.subscribe(({ type }) => {
    // Changes that a sync brings in must not trigger another sync.
    if (type !== 'file-changed' || isSyncing || failures > 0) return;
    next = Math.min(next, monotonicNow() + changeDebounceMs);
    loop.wake();
  });
  loop.wake();
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await loop.stop();
    },
  };
}
