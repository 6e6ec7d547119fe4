import { closeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** A file that was replaced. `temporary` is its hidden name on disk; for a file without a name, only an identifier. */
export type TrackedFile = { path: VaultPath; temporary: string };

/**
 * A replaced file that this process has open. For a file with a name, the content is also in the database, for all
 * processes; this copy is used if another process deletes the row.
 */
export type OpenFile = TrackedFile & { fd: number; content: Buffer; hasName: boolean; since: number };

/** The replaced files: a database row for each file with a name, and the descriptors that this process has open. */
export type TrackedFiles = {
  isEmpty(): boolean;
  /** The files with a name, of all processes, and those without one that this process has open. */
  list(): TrackedFile[];
  /** Records a file with a name. */
  add(file: TrackedFile, content: Buffer): void;
  /** Takes ownership of a descriptor; closes it immediately when too many are open. */
  keepOpen(file: Omit<OpenFile, 'since'>): void;
  /** A file that this process has open. */
  opened(temporary: string): OpenFile | undefined;
  /** The content of a replaced file at the last merge. */
  contentOf(temporary: string): Buffer | undefined;
  setContent(temporary: string, content: Buffer): void;
  /** Removes the row of a file, for all processes. */
  remove(temporary: string): void;
  /** Closes the descriptor of a file in this process. */
  close(temporary: string): void;
};

const maxOpenFiles = 100;

export function createTrackedFiles(database: Database, monotonicNow: Clock): TrackedFiles {
  const insert = database.prepare('insert into replaced_files values (?, ?, ?)');
  const advance = database.prepare('update replaced_files set content = ? where temporary = ?');
  const remove = database.prepare('delete from replaced_files where temporary = ?');
  const select = database.prepare('select path, temporary from replaced_files');
  const selectAny = database.prepare('select 1 from replaced_files limit 1');
  const selectContent = database.prepare('select content from replaced_files where temporary = ?').pluck();
  const open = new Map<string, OpenFile>();
  return {
    isEmpty: () => open.size === 0 && selectAny.get() === undefined,
    list() {
      const rows = select.all() as TrackedFile[];
      const names = new Set(rows.map(({ temporary }) => temporary));
      const nameless: TrackedFile[] = [];
      for (const each of open.values()) {
        // Another process released the file: no program writes to it any more, or it was not found at its path.
        if (!names.has(each.temporary)) each.hasName = false;
        if (!each.hasName) nameless.push(each);
      }
      return [...rows, ...nameless];
    },
    add: ({ temporary, path }, content) => void insert.run(temporary, path, content),
    keepOpen(file) {
      if (open.size === maxOpenFiles) closeSync(file.fd);
      else open.set(file.temporary, { ...file, since: monotonicNow() });
    },
    opened: (temporary) => open.get(temporary),
    contentOf(temporary) {
      const openFile = open.get(temporary);
      if (openFile?.hasName === false) return openFile.content;
      const content = selectContent.get(temporary) as Buffer | undefined;
      if (openFile !== undefined && content !== undefined) openFile.content = content;
      return content;
    },
    setContent(temporary, content) {
      advance.run(content, temporary);
      const openFile = open.get(temporary);
      if (openFile !== undefined) openFile.content = content;
    },
    remove: (temporary) => void remove.run(temporary),
    close(temporary) {
      const fd = open.get(temporary)?.fd;
      open.delete(temporary);
      if (fd !== undefined) closeSync(fd);
    },
  };
}
