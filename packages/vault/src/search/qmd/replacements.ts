import type { Database } from 'better-sqlite3';
import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { CorruptIndexError } from './index-error.ts';

/**
 * Maps each file with replaced entries to the files that contain the replacing entries. The entries themselves are read
 * from the files.
 */
export type ReplacementTable = {
  put: (file: number, targets: Iterable<VaultPath>) => void;
  of: (target: VaultPath) => VaultPath[];
};

export function createReplacementTable(database: Database): ReplacementTable {
  const clear = database.prepare('delete from keepsake_replacements where file = ?');
  const add = database.prepare('insert or ignore into keepsake_replacements values (?, ?)');
  const select = database
    .prepare(
      `select f.path from keepsake_replacements r join keepsake_files f on f.id = r.file
       where r.target = ? order by f.path`,
    )
    .pluck();
  return {
    put(file, targets) {
      clear.run(file);
      for (const target of targets) add.run(target, file);
    },
    of: (target) => select.all(target).map(pathFrom),
  };
}

/** Validates the path, because SQLite may read a damaged page without an error. */
function pathFrom(value: unknown): VaultPath {
  const parsed = typeof value === 'string' ? parseVaultPath(value) : null;
  if (parsed?.ok !== true) throw new CorruptIndexError(`invalid file path ${String(value)}`);
  return parsed.path;
}
