import type { Database } from 'better-sqlite3';
import type { FileEntry, VaultPath } from '../vault/index.ts';

type Signature = Pick<FileEntry, 'size' | 'mtime' | 'ctime'>;

/**
 * By size and times, which files history is known to have as they are. It only saves comparing them again: without it every
 * file is compared once more.
 */
export type RecordedFiles = {
  paths(): Iterable<VaultPath>;
  has(path: VaultPath, entry: Signature): boolean;
  put(path: VaultPath, entry: Signature): void;
  forget(path: VaultPath): void;
  /** The newest commit of history when everything was compared last. */
  tip(): string | null;
  /** When everything was compared last, and how long that took, in milliseconds; null when it never was. */
  compared(): { at: number; took: number } | null;
  /** Writes down what was put and forgotten since, and that everything was compared. */
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
      // A file that changed a moment ago may have changed again within the same tick of its clock.
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
