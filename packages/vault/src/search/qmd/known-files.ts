import type { Database } from 'better-sqlite3';
import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { IndexedFile } from '../section-index.ts';
import { UnusableIndex } from './unusable-index.ts';

type KnownFile = IndexedFile & { id: number };

/** The table of files, remembered as long as no other process writes to the index. */
export type KnownFiles = {
  all: () => ReadonlyMap<VaultPath, KnownFile>;
  /** As of the last look at all of them. */
  pathOf: (id: number) => VaultPath | undefined;
  /** Whether the table has it, whatever is remembered. */
  has: (path: VaultPath) => boolean;
  /** Gives the id of the file. */
  put: (path: VaultPath, file: IndexedFile) => number;
  remove: (path: VaultPath, id: number) => void;
  /** Has the table read anew: what is remembered may be of rows that were rolled back. */
  forget: () => void;
};

/** `onReadAnew` is called whenever the table has to be read: what else is remembered of the index is old, too. */
export function createKnownFiles(database: Database, onReadAnew: () => void): KnownFiles {
  const { dataVersion, select, has, put, remove } = prepare(database);
  const files = new Map<VaultPath, KnownFile>();
  const paths = new Map<number, VaultPath>();
  let seenVersion: unknown = null;
  const remember = (path: VaultPath, file: KnownFile): void => {
    files.set(path, file);
    paths.set(file.id, path);
  };
  return {
    all() {
      // Another process may have indexed something meanwhile.
      const version = dataVersion.get();
      if (version === seenVersion) return files;
      seenVersion = version;
      onReadAnew();
      files.clear();
      paths.clear();
      for (const { path, ...file } of select.all() as (KnownFile & { path: VaultPath })[]) {
        // A damaged page may be read without an error.
        if (typeof path !== 'string' || !parseVaultPath(path).ok)
          throw new UnusableIndex(`a file named ${path}`);
        remember(path, file);
      }
      return files;
    },
    pathOf: (id) => paths.get(id),
    has: (path) => has.get(path) === 1,
    put(path, { revision, size, mtime, ctime, updated }) {
      const file = { revision, size, mtime, ctime, updated };
      const id = Number(put.get({ path, ...file }));
      remember(path, { id, ...file });
      return id;
    },
    remove(path, id) {
      remove.run(id);
      files.delete(path);
      paths.delete(id);
    },
    forget: () => void (seenVersion = null),
  };
}

function prepare(database: Database) {
  return {
    dataVersion: database.prepare('select data_version from pragma_data_version').pluck(),
    select: database.prepare('select * from keepsake_files'),
    has: database.prepare('select 1 from keepsake_files where path = ?').pluck(),
    put: database
      .prepare(
        `insert into keepsake_files (path, revision, size, mtime, ctime, updated)
           values (@path, @revision, @size, @mtime, @ctime, @updated)
         on conflict (path) do update set revision = @revision, size = @size, mtime = @mtime, ctime = @ctime,
           updated = @updated
         returning id`,
      )
      .pluck(),
    remove: database.prepare('delete from keepsake_files where id = ?'),
  };
}
