import type { Database } from 'better-sqlite3';
import type { FileEntry, VaultPath } from '../vault/index.ts';

type Signature = Pick<FileEntry, 'size' | 'mtime' | 'ctime'>;

/**
 * The files whose current content is known to be in history, by size and times. A cache: without it, every file is
 * compared again.
 */
export type RecordedFiles = {
  paths(): Iterable<VaultPath>;
  has(path: VaultPath, entry: Signature): boolean;
  put(path: VaultPath, entry: Signature): void;
  forget(path: VaultPath): void;
  /** The newest commit of history at the last full comparison. */
  tip(): string | null;
  /** Time (epoch milliseconds) and duration (milliseconds) of the last full comparison; null if there was none. */
  compared(): { at: number; took: number } | null;
  /** Saves all pending changes and the data of this full comparison. */
  save(tip: string, compared: { at: number; took: number }): void;
};

export function createRecordedFiles(database: Database): RecordedFiles {
  database.exec(`
    create table if not exists recorded (path text primary key, size integer, mtime real, ctime real) without rowid;
    create table if not exists notes (name text primary key, text text) without rowid;
  `);
  type Row = [VaultPath, number, number, number | null];
  const rows = database.prepare('select path, size, mtime, ctime from recorded').raw().all() as Row[];
  const files = new Map(rows.map(([path, size, mtime, ctime]) => [path, { size, mtime, ctime }]));
  const unsaved = new Set<VaultPath>();
  const upsert = database.prepare('insert or replace into recorded values (?, ?, ?, ?)');
  const remove = database.prepare('delete from recorded where path = ?');
  const findNote = database.prepare('select text from notes where name = ?').pluck();
  const putNote = database.prepare('insert or replace into notes values (?, ?)');
  const note = (name: string): string | null => (findNote.get(name) as string | undefined) ?? null;
  return {
    paths: () => files.keys(),
    has(path, { size, mtime, ctime }) {
      const known = files.get(path);
      // A file that changed just now may change again within the same tick of the file system clock.
      return known?.size === size && known.mtime === mtime && ctime !== null && known.ctime === ctime;
    },
    put(path, { size, mtime, ctime }) {
      files.set(path, { size, mtime, ctime });
      unsaved.add(path);
    },
    forget(path) {
      files.delete(path);
      unsaved.add(path);
    },
    tip: () => note('recorded-tip'),
    compared() {
      const text = note('recorded-at');
      return text === null ? null : (JSON.parse(text) as { at: number; took: number });
    },
    save: database.transaction((tip: string, compared: { at: number; took: number }) => {
      for (const path of unsaved) {
        const entry = files.get(path);
        if (entry === undefined) remove.run(path);
        else upsert.run(path, entry.size, entry.mtime, entry.ctime);
      }
      unsaved.clear();
      putNote.run('recorded-tip', tip);
      putNote.run('recorded-at', JSON.stringify(compared));
    }),
  };
}
