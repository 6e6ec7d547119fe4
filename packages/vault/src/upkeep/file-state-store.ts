import type { Database } from 'better-sqlite3';
import type { FileEntry, Revision, VaultPath } from '../vault/index.ts';

/** The state of a file when upkeep last processed it. */
export type FileState = Pick<FileEntry, 'size' | 'mtime' | 'ctime' | 'updated'> & {
  /** Null if the file is not text. */
  revision: Revision | null;
  /** Whether this state is in history. */
  isRecorded: boolean;
  /** The state of a deleted file is kept until the deletion is in history. */
  isGone: boolean;
};

/**
 * The state of each file when upkeep last processed it. It is stored separately because any process may update the
 * catalogue and the index first. Disposable: without it, no file counts as changed.
 */
export type FileStateStore = {
  files(): ReadonlyMap<VaultPath, FileState>;
  put(path: VaultPath, seen: FileState): void;
  forget(path: VaultPath): void;
  /** Whether any file has exactly this content. */
  hasRevision(revision: Revision): boolean;
  getValue(name: 'baseline' | 'tree'): string | null;
  setValue(name: 'baseline' | 'tree', text: string): void;
  /** Saves all pending changes. */
  flush(): void;
};

/** A database of another version is discarded, never migrated. */
export const fileStateVersion = 1;

type Row = Omit<FileState, 'isRecorded' | 'isGone'> & { path: VaultPath; isRecorded: number; isGone: number };

export function createFileStateStore(database: Database): FileStateStore {
  database.exec(`
    create table if not exists seen (
      path text primary key, revision text, updated text, size integer, mtime real, ctime real,
      isRecorded integer, isGone integer
    ) without rowid;
    create table if not exists notes (name text primary key, text text) without rowid;
  `);
  const rows = database.prepare('select * from seen').all() as Row[];
  const files = new Map<VaultPath, FileState>();
  /** Number of files with each revision. */
  const revisions = new Map<Revision, number>();
  const count = (revision: Revision | null | undefined, by: number): void => {
    if (revision) revisions.set(revision, (revisions.get(revision) ?? 0) + by);
  };
  for (const { path, isRecorded, isGone, ...seen } of rows) {
    files.set(path, { ...seen, isRecorded: isRecorded === 1, isGone: isGone === 1 });
    count(seen.revision, 1);
  }
  const unsaved = new Set<VaultPath>();
  const upsert = database.prepare(
    'insert or replace into seen values (@path, @revision, @updated, @size, @mtime, @ctime, @isRecorded, @isGone)',
  );
  const remove = database.prepare('delete from seen where path = ?');
  const findNote = database.prepare('select text from notes where name = ?').pluck();
  const putNote = database.prepare('insert or replace into notes values (?, ?)');
  const save = database.transaction(() => {
    for (const path of unsaved) {
      const seen = files.get(path);
      if (seen === undefined) remove.run(path);
      else upsert.run({ ...seen, path, isRecorded: Number(seen.isRecorded), isGone: Number(seen.isGone) });
    }
  });
  return {
    files: () => files,
    put(path, seen) {
      count(files.get(path)?.revision, -1);
      count(seen.revision, 1);
      files.set(path, seen);
      unsaved.add(path);
    },
    forget(path) {
      count(files.get(path)?.revision, -1);
      files.delete(path);
      unsaved.add(path);
    },
    hasRevision: (revision) => (revisions.get(revision) ?? 0) > 0,
    getValue: (name) => (findNote.get(name) as string | undefined) ?? null,
    setValue: (name, text) => void putNote.run(name, text),
    flush() {
      if (unsaved.size === 0) return;
      save();
      unsaved.clear();
    },
  };
}
