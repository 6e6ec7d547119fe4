import type { Database } from 'better-sqlite3';
import type { FileEntry, Revision, VaultPath } from '../vault/index.ts';

/** How a file was when upkeep had last dealt with it. */
export type Seen = Pick<FileEntry, 'size' | 'mtime' | 'ctime' | 'updated'> & {
  /** Null for what is no text. */
  revision: Revision | null;
  /** Whether history has it. */
  isRecorded: boolean;
  /** A file that is gone is remembered until history knows. */
  isGone: boolean;
};

/**
 * What upkeep saw last, in a table of its own: the catalogue and the index are brought up to date by whoever comes
 * first, so they cannot tell what upkeep has not dealt with yet. Disposable: without it nothing counts as changed.
 */
export type Memory = {
  files(): ReadonlyMap<VaultPath, Seen>;
  put(path: VaultPath, seen: Seen): void;
  forget(path: VaultPath): void;
  /** Whether a file anywhere had exactly this content. */
  knows(revision: Revision): boolean;
  note(name: 'baseline' | 'tree'): string | null;
  setNote(name: 'baseline' | 'tree', text: string): void;
  /** Writes down what was put and forgotten since. */
  flush(): void;
};

/** A database of another version is discarded, never migrated. */
export const memoryVersion = 1;

type Row = Omit<Seen, 'isRecorded' | 'isGone'> & { path: VaultPath; isRecorded: number; isGone: number };

export function createMemory(database: Database): Memory {
  database.exec(`
    create table if not exists seen (
      path text primary key, revision text, updated text, size integer, mtime real, ctime real,
      isRecorded integer, isGone integer
    ) without rowid;
    create table if not exists notes (name text primary key, text text) without rowid;
  `);
  const rows = database.prepare('select * from seen').all() as Row[];
  const files = new Map<VaultPath, Seen>();
  /** How many files have a revision. */
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
    knows: (revision) => (revisions.get(revision) ?? 0) > 0,
    note: (name) => (findNote.get(name) as string | undefined) ?? null,
    setNote: (name, text) => void putNote.run(name, text),
    flush() {
      if (unsaved.size === 0) return;
      save();
      unsaved.clear();
    },
  };
}
