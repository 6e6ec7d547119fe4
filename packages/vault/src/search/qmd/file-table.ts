import type { Database } from 'better-sqlite3';
import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { IndexedFile } from '../chunk-index.ts';
import { CorruptIndexError } from './index-error.ts';

type FileRow = IndexedFile & { id: number };

/** The table of files, cached until another process writes to the index. */
export type FileTable = {
  all: () => ReadonlyMap<VaultPath, FileRow>;
  /** From the cache, as of the last call of `all`. */
  pathOf: (id: number) => VaultPath | undefined;
  /** Queries the table, not the cache. */
  has: (path: VaultPath) => boolean;
  /** Inserts or updates the file and returns its id. */
  put: (path: VaultPath, file: IndexedFile) => number;
  remove: (path: VaultPath, id: number) => void;
  /** Clears the cache, which may hold rows of a rolled-back transaction. */
  forget: () => void;
};

/** `onReload` is called whenever the table is reloaded, because other caches of the index are stale then, too. */
export function createFileTable(database: Database, onReload: () => void): FileTable {
  const { dataVersion, select, has, put, remove } = prepare(database);
  const files = new Map<VaultPath, FileRow>();
  const paths = new Map<number, VaultPath>();
  let seenVersion: unknown = null;
  const remember = (path: VaultPath, file: FileRow): void => {
    files.set(path, file);
    paths.set(file.id, path);
  };
  return {
    all() {
      // Another process may have written to the index.
      const version = dataVersion.get();
      if (version === seenVersion) return files;
      seenVersion = version;
      onReload();
      files.clear();
      paths.clear();
      for (const { path, ...file } of select.all() as (FileRow & { path: VaultPath })[]) {
        // SQLite may read a damaged page without an error.
        if (typeof path !== 'string' || !parseVaultPath(path).ok)
          throw new CorruptIndexError(`invalid file path ${path}`);
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
