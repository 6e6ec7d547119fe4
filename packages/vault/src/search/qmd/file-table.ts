import type { Database } from 'better-sqlite3';
import { parseVaultPath } from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';
import type { IndexedFile } from '../chunk-index.ts';
import { fileNameWords } from '../tokenizer.ts';
import { CorruptIndexError } from './index-error.ts';

type FileRow = IndexedFile & { id: number };

/**
 * Stored as the revision of a file while its chunks are being replaced. It is no revision of any content, so the file
 * is indexed again if that was interrupted.
 */
export const incompleteRevision = 'incomplete' as Revision;

/** The table of files, cached until another process writes to the index. */
export type FileTable = {
  all: () => ReadonlyMap<VaultPath, FileRow>;
  /** From the cache, as of the last call of `all`. */
  pathOf: (id: number) => VaultPath | undefined;
  /** The files that are only partly indexed; see `ChunkIndex.upsertSlices`. */
  incomplete: () => ReadonlySet<VaultPath>;
  /** The number of files whose name consists of these normalized words; see `fileNameWords`. */
  named: (name: string) => number;
  /** Queries the table, not the cache. Null if the file is not in it. */
  storedId: (path: VaultPath) => number | null;
  /** Inserts or updates the file and returns its id. */
  put: (path: VaultPath, file: IndexedFile) => number;
  remove: (path: VaultPath, id: number) => void;
  /** Clears the cache, which may hold rows of a rolled-back transaction. */
  forget: () => void;
};

/** `onReload` is called whenever the table is reloaded, because other caches of the index are stale then, too. */
export function createFileTable(database: Database, onReload: () => void): FileTable {
  const { dataVersion, select, storedId, put, remove } = prepare(database);
  const files = new Map<VaultPath, FileRow>();
  const paths = new Map<number, VaultPath>();
  const incomplete = new Set<VaultPath>();
  let seenVersion: unknown = null;
  /** Counts by name; null after a change of the paths. */
  let names: Map<string, number> | null = null;
  const remember = (path: VaultPath, file: FileRow): void => {
    if (!files.has(path)) names = null;
    files.set(path, file);
    paths.set(file.id, path);
    if (file.revision === incompleteRevision) incomplete.add(path);
    else incomplete.delete(path);
  };
  const all = (): ReadonlyMap<VaultPath, FileRow> => {
    // Another process may have written to the index.
    const version = dataVersion.get();
    if (version === seenVersion) return files;
    seenVersion = version;
    onReload();
    names = null;
    files.clear();
    paths.clear();
    incomplete.clear();
    for (const { path, ...file } of select.all() as (FileRow & { path: VaultPath })[]) {
      // SQLite may read a damaged page without an error.
      if (typeof path !== 'string' || !parseVaultPath(path).ok)
        throw new CorruptIndexError(`invalid file path ${path}`);
      remember(path, file);
    }
    return files;
  };
  return {
    all,
    incomplete() {
      all();
      return incomplete;
    },
    pathOf: (id) => paths.get(id),
    named(name) {
      names ??= countNames(all().keys());
      return names.get(name) ?? 0;
    },
    storedId: (path) => (storedId.get(path) as number | undefined) ?? null,
    put(path, { revision, size, mtime, ctime, updated }) {
      const file = { revision, size, mtime, ctime, updated };
      const id = Number(put.get({ path, ...file }));
      remember(path, { id, ...file });
      return id;
    },
    remove(path, id) {
      remove.run(id);
      names = null;
      files.delete(path);
      paths.delete(id);
      incomplete.delete(path);
    },
    forget: () => void (seenVersion = null),
  };
}

function prepare(database: Database) {
  return {
    dataVersion: database.prepare('select data_version from pragma_data_version').pluck(),
    select: database.prepare('select * from keepsake_files'),
    storedId: database.prepare('select id from keepsake_files where path = ?').pluck(),
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

function countNames(paths: Iterable<VaultPath>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = fileNameWords(path);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
