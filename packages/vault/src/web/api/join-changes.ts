import type { z } from 'zod';
import type { api } from '../../contract/index.ts';

/** Changes from the newest on; `next` is where it goes on, null when these are all. */
export type ChangeList = z.output<typeof api.history>;

/** The newest changes, and below them those that are known already. Where something may lie between the two, only the newest. */
export function joinChanges(newest: ChangeList, known: ChangeList | undefined): ChangeList {
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
        // Of one that was taken back in part, some still stands.
        return by === undefined || by.counts.files < change.counts.files
          ? change
          : { ...change, isUndone: !by.isUndone };
      }),
    ],
  };
}
