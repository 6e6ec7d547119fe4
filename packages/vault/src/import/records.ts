import type { Database } from 'better-sqlite3';
import type { Revision, VaultPath } from '../vault/index.ts';

/** One file that an import made: of which item of which source, as it was there and as it was written. */
export type Imported = {
  change: string;
  source: string;
  item: string;
  digest: string;
  path: VaultPath;
  revision: Revision;
};

/**
 * What was imported. Written before the change itself and under its id, so that no crash can come between: a record
 * counts once the journal has that change.
 */
export type ImportRecords = {
  into(target: VaultPath): Imported[];
  /** In place of what was noted for the same change. */
  note(change: string, target: VaultPath, files: readonly Omit<Imported, 'change'>[]): void;
};

export function createImportRecords(database: Database): ImportRecords {
  const select = database.prepare(
    'select change, source, item, digest, path, revision from imported where target = ?',
  );
  const forget = database.prepare('delete from imported where change = ?');
  const insert = database.prepare(
    'insert into imported values (@change, @target, @source, @item, @digest, @path, @revision)',
  );
  const note = database.transaction<ImportRecords['note']>((change, target, files) => {
    forget.run(change);
    for (const file of files) insert.run({ change, target, ...file });
  });
  return { into: (target) => select.all(target) as Imported[], note: (...all) => note.immediate(...all) };
}
