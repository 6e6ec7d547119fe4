import type { Database } from 'better-sqlite3';
import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { UnusableIndex } from './unusable-index.ts';

/** Which files say that they replace entries of which others. What exactly they say is read from them. */
export type Replacements = {
  put: (file: number, targets: Iterable<VaultPath>) => void;
  of: (target: VaultPath) => VaultPath[];
};

export function createReplacements(database: Database): Replacements {
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

/** A damaged page may be read without an error. */
function pathFrom(value: unknown): VaultPath {
  const parsed = typeof value === 'string' ? parseVaultPath(value) : null;
  if (parsed?.ok !== true) throw new UnusableIndex(`a file named ${String(value)}`);
  return parsed.path;
}
