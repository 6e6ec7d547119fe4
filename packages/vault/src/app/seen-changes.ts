import type { Changes } from '../changes/index.ts';
import { showPath } from '../vault/index.ts';

/** What changed, and what can be taken back of it. */
export type SeenChanges = Pick<
  Changes,
  'list' | 'days' | 'find' | 'undo' | 'takenBack' | 'restore' | 'approve' | 'reject' | 'loss'
>;

/** Whether a path, as it is shown, is one that is kept back. */
export type Hidden = (shown: string) => boolean;

/** How many are looked through at most for those that may be seen, for each that is wanted. */
const mostPerWanted = 64;

/**
 * The same without every change that touches a file that is kept back: its summary, its diff and whether it merges would
 * tell of it. What is kept back is asked each time.
 */
export function seenChanges(changes: Changes, hidden: () => Hidden): SeenChanges {
  const find: Changes['find'] = (id) => {
    const found = changes.find(id);
    return found === null || found.paths.some(hidden()) ? null : found;
  };
  const isThere = (id: string): boolean => find(id) !== null;
  return {
    list({ limit, ...options }) {
      const isHidden = hidden();
      for (let looked = limit; ; looked *= 4) {
        const all = changes.list({ ...options, limit: looked });
        const shown = all.filter(({ paths }) => !paths.map(showPath).some(isHidden)).slice(0, limit);
        const isAll = all.length < looked || looked >= limit * mostPerWanted;
        if (isAll || shown.length === limit) return shown;
      }
    },
    // Numbers tell, too.
    days: (_, zone) => ({ ...changes.days(1, zone), days: [], notes: [] }),
    find,
    undo: async (id, ...how) => (isThere(id) ? changes.undo(id, ...how) : { kind: 'unknown' }),
    takenBack: (id) => (isThere(id) ? changes.takenBack(id) : new Set()),
    restore: async (id, ...how) => (isThere(id) ? changes.restore(id, ...how) : { kind: 'unknown' }),
    approve: async (id, ...how) => (isThere(id) ? changes.approve(id, ...how) : { kind: 'unknown' }),
    reject: async (id) => isThere(id) && changes.reject(id),
    loss() {
      const loss = changes.loss();
      return loss !== null && isThere(loss.id) ? loss : null;
    },
  };
}
