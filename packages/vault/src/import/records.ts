import type { Database } from 'better-sqlite3';
import type { Revision, VaultPath } from '../vault/index.ts';

/** A file written by an import: the item and source it comes from, the digest of the item and the revision as written. */
export type ImportedFile = {
  change: string;
  source: string;
  item: string;
  digest: string;
  path: VaultPath;
  revision: Revision;
};

/**
 * Records of imported files. They are written before the change itself and under its id, so that a crash cannot
 * separate them: a record counts once the journal contains that change.
 */
export type ImportRecordStore = {
  listByTarget(target: VaultPath): ImportedFile[];
  /** Replaces earlier records of the same change. */
  record(change: string, target: VaultPath, files: readonly Omit<ImportedFile, 'change'>[]): void;
};

export function createImportRecordStore(database: Database): ImportRecordStore {
  const select = database.prepare(
    'select change, source, item, digest, path, revision from imported where target = ?',
  );
  const forget = database.prepare('delete from imported where change = ?');
  const insert = database.prepare(
    'insert into imported values (@change, @target, @source, @item, @digest, @path, @revision)',
  );
  const note = database.transaction<ImportRecordStore['record']>((change, target, files) => {
    forget.run(change);
    for (const file of files) insert.run({ change, target, ...file });
  });
  return {
    listByTarget: (target) => select.all(target) as ImportedFile[],
    record: (...all) => note.immediate(...all),
  };
}
