import { closeSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** A file that was replaced; `temporary` is its hidden name, if it has one, and else only tells it from others. */
export type TrackedFile = { path: VaultPath; temporary: string };

/** The content of one with a name is in the database, for all processes, and here in case that another one loses it. */
export type OpenFile = TrackedFile & { fd: number; content: Buffer; hasName: boolean; since: number };

/** Which replaced files there are: rows for those that have a name, and the descriptors of this process. */
export type TrackedFiles = {
  isEmpty(): boolean;
  /** Those of all processes that have a name, and those without one that this process has open. */
  list(): TrackedFile[];
  /** Writes down one that has a name. */
  add(file: TrackedFile, content: Buffer): void;
  /** Takes over a descriptor; it is closed at once where there are many. */
  keepOpen(file: Omit<OpenFile, 'since'>): void;
  /** One that this process has open. */
  opened(temporary: string): OpenFile | undefined;
  /** What it held when it was last brought over. */
  contentOf(temporary: string): Buffer | undefined;
  setContent(temporary: string, content: Buffer): void;
  /** For all processes. */
  remove(temporary: string): void;
  /** For this process. */
  close(temporary: string): void;
};

const mostOpen = 100;

export function createTrackedFiles(database: Database, elapsed: Clock): TrackedFiles {
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
        // Another process let it go: nobody writes into it any more, or it was not found where it lay.
        if (!names.has(each.temporary)) each.hasName = false;
        if (!each.hasName) nameless.push(each);
      }
      return [...rows, ...nameless];
    },
    add: ({ temporary, path }, content) => void insert.run(temporary, path, content),
    keepOpen(file) {
      if (open.size === mostOpen) closeSync(file.fd);
      else open.set(file.temporary, { ...file, since: elapsed() });
    },
    opened: (temporary) => open.get(temporary),
    contentOf(temporary) {
      const kept = open.get(temporary);
      if (kept?.hasName === false) return kept.content;
      const content = selectContent.get(temporary) as Buffer | undefined;
      if (kept !== undefined && content !== undefined) kept.content = content;
      return content;
    },
    setContent(temporary, content) {
      advance.run(content, temporary);
      const kept = open.get(temporary);
      if (kept !== undefined) kept.content = content;
    },
    remove: (temporary) => void remove.run(temporary),
    close(temporary) {
      const fd = open.get(temporary)?.fd;
      open.delete(temporary);
      if (fd !== undefined) closeSync(fd);
    },
  };
}
