import type { VaultService } from '../../app/index.ts';
import { reduceSteps } from '../../contract/index.ts';
import type { Step } from '../../contract/index.ts';

/** The steps of the latest updates, in memory, to be shown while an update is running or soon after. */
export type RecentSteps = {
  get(update: string): readonly Step[];
  close(): void;
};

const maxRuns = 50;

export function createRecentSteps({
  events,
  visibilityKey,
}: Pick<VaultService, 'events' | 'visibilityKey'>): RecentSteps {
  const runs = new Map<string, readonly Step[]>();
  let lastVisibilityKey = visibilityKey();
  /** When the exclusion patterns change, earlier steps may name files that are hidden now. */
  const clearIfVisibilityChanged = (): void => {
    const now = visibilityKey();
    if (now !== lastVisibilityKey) runs.clear();
    lastVisibilityKey = now;
  };
  const close = events.subscribe((event) => {
    clearIfVisibilityChanged();
    if (event.type === 'update-started') {
      // Re-inserted, so that a restarted update counts as the newest.
      runs.delete(event.update);
      runs.set(event.update, []);
      const [oldest] = runs.keys();
      if (runs.size > maxRuns && oldest !== undefined) runs.delete(oldest);
    } else if ('run' in event) {
      const steps = runs.get(event.run);
      if (steps !== undefined) runs.set(event.run, reduceSteps(steps, event));
    }
  });
  return {
    get(update) {
      clearIfVisibilityChanged();
      return runs.get(update) ?? [];
    },
    close,
  };
}
