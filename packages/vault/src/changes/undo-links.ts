import type { Database } from 'better-sqlite3';
import { parentPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** Which transactions undo which. An undo can itself be undone, in part or wholly. */
export type UndoLinks = {
  /** The files of a transaction that were taken back since, and stayed so. */
  takenBack(id: string): Set<VaultPath>;
  /** The transaction by which all of it was taken back, or all of it in one file; undefined when some of that stands. */
  undoneBy(id: string, path?: VaultPath): string | undefined;
  /** The transaction that this one takes back, or would; undefined when it is no undo. */
  undoneWith(id: string): string | undefined;
};

export function createUndoLinks(database: Database): UndoLinks {
  const selectPaths = database
    .prepare(
      'select path from changes where transaction_seq = (select seq from transactions where id = ?) order by position',
    )
    .pluck();
  const selectUndoing = database
    .prepare(`select id from transactions where undoes = ? and state in ('applying', 'applied') order by seq`)
    .pluck();
  const selectUndone = database.prepare('select undoes from transactions where id = ?').pluck();
  const takenBack = (id: string): Set<VaultPath> => {
    const own = new Set(selectPaths.all(id) as VaultPath[]);
    const paths = new Set<VaultPath>();
    for (const undoing of selectUndoing.all(id) as string[]) {
      const broughtBack = takenBack(undoing);
      for (const path of selectPaths.all(undoing) as VaultPath[])
        if (own.has(path) && !broughtBack.has(path)) paths.add(path);
    }
    return paths;
  };
  return {
    takenBack,
    undoneBy(id, only) {
      const own = selectPaths.all(id) as VaultPath[];
      // A folder that went with its files is back when they are.
      const folders = new Set(own.map(parentPath));
      const paths = own.filter((path) => !folders.has(path) && (only === undefined || path === only));
      const back = takenBack(id);
      const undoing = selectUndoing.all(id) as string[];
      return paths.length > 0 && paths.every((path) => back.has(path)) ? undoing.at(-1) : undefined;
    },
    undoneWith: (id) => (selectUndone.get(id) as string | null | undefined) ?? undefined,
  };
}
