import type { Database } from 'better-sqlite3';
import type { FileEntry, VaultPath } from '../vault/index.ts';

/** Caches blob ids by path, size and times, so that only changed files are hashed again. Disposable. */
export type BlobIdCache = {
  /** Null if the file is not cached or may have changed. */
  idOf(path: VaultPath, entry: FileEntry): string | null;
  put(path: VaultPath, entry: FileEntry, id: string): void;
  /** Saves the new entries. */
  flush(): void;
};

/** A database of another version is discarded, never migrated. */
export const blobIdCacheVersion = 1;

type Row = { path: VaultPath; size: number; mtime: number; ctime: number; id: string };

export function createBlobIdCache(database: Database): BlobIdCache {
  database.exec(`
    create table if not exists seen (path text primary key, size integer, mtime real, ctime real, id text) without rowid;
  `);
  const rows = database.prepare('select * from seen').all() as Row[];
  const files = new Map(rows.map((row) => [row.path, row]));
  const unsaved = new Set<VaultPath>();
  const save = database.prepare('insert or replace into seen values (@path, @size, @mtime, @ctime, @id)');
  const saveAll = database.transaction(() => {
    for (const path of unsaved) save.run(files.get(path));
  });
  return {
    idOf(path, { size, mtime, ctime }) {
      const known = files.get(path);
      const isSame = known?.size === size && known.mtime === mtime && known.ctime === ctime;
      return isSame ? known.id : null;
    },
    put(path, { size, mtime, ctime }, id) {
      // Without a reliable ctime, the file could change again unnoticed.
      if (ctime === null) return;
      files.set(path, { path, size, mtime, ctime, id });
      unsaved.add(path);
    },
    flush() {
      saveAll();
      unsaved.clear();
    },
  };
}
