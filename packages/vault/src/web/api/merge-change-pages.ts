import type { z } from 'zod';
import type { api } from '../../contract/index.ts';

/** Changes, newest first; `next` is the cursor of the following page, null on the last one. */
export type ChangePage = z.output<typeof api.history>;

/** Puts the newest page above the loaded changes. If there may be a gap between them, only the newest page remains. */
export function mergeChangePages(newest: ChangePage, known: ChangePage | undefined): ChangePage {
  if (known === undefined || newest.next === null) return newest;
  const ids = new Set(newest.changes.map(({ id }) => id));
  const last = known.changes.findLastIndex(({ id }) => ids.has(id));
  const older = known.changes.slice(last + 1);
  if (last === -1 || older.length === 0) return newest;
  const undoing = new Map(
    newest.changes.flatMap((change) => (change.undoes === null ? [] : [[change.undoes.id, change]])),
  );
  return {
    next: known.next,
    changes: [
      ...newest.changes,
      ...older.map((change) => {
        const by = undoing.get(change.id);
        // A change that was undone only in part is not marked as undone.
        return by === undefined || by.counts.files < change.counts.files
          ? change
          : { ...change, isUndone: !by.isUndone };
      }),
    ],
  };
}
