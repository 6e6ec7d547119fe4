import type { Database } from 'better-sqlite3';
import { parentPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** Which transactions undo which other ones. An undo can itself be undone, partly or completely. */
export type UndoLinks = {
  /** The files in which a transaction was undone and not redone. */
  undonePaths(id: string): Set<VaultPath>;
  /**
   * The last transaction that undid this one, once all of it (or its part in `path`) is undone; undefined otherwise.
   */
  undoOf(id: string, path?: VaultPath): string | undefined;
  /** The transaction that this one undoes, or would undo if it were applied; undefined when it is not an undo. */
  undoTargetOf(id: string): string | undefined;
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
  const undonePaths = (id: string): Set<VaultPath> => {
    const own = new Set(selectPaths.all(id) as VaultPath[]);
    const paths = new Set<VaultPath>();
    for (const undoing of selectUndoing.all(id) as string[]) {
      const redonePaths = undonePaths(undoing);
      for (const path of selectPaths.all(undoing) as VaultPath[])
        if (own.has(path) && !redonePaths.has(path)) paths.add(path);
    }
    return paths;
  };
  return {
    undonePaths,
    undoOf(id, only) {
      const own = selectPaths.all(id) as VaultPath[];
      // A removed folder is restored together with its files.
      const folders = new Set(own.map(parentPath));
      const paths = own.filter((path) => !folders.has(path) && (only === undefined || path === only));
      const back = undonePaths(id);
      const undoing = selectUndoing.all(id) as string[];
      return paths.length > 0 && paths.every((path) => back.has(path)) ? undoing.at(-1) : undefined;
    },
    undoTargetOf: (id) => (selectUndone.get(id) as string | null | undefined) ?? undefined,
  };
}
