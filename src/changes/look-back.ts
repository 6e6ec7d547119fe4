import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, readlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { nameOf, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { lookInto, readAll, removeBeside } from './apply.ts';
import type { Keep } from './apply.ts';
import { isEqual } from './change.ts';
import { isBeingWritten } from './file-primitives.ts';

/** What somebody still wrote into a file that had been replaced under it. */
export type LateEdit = { path: VaultPath; before: Buffer; after: Buffer };

/**
 * Files that were replaced while somebody had them open. One that is seen to be written keeps a hidden name, so that also
 * a later process finds what is written into it; one of which that cannot be told has none. Both are kept open, so that they
 * are found wherever their folder is moved.
 */
export type ReplacedFiles = {
  keep: (path: VaultPath) => Keep;
  isEmpty(): boolean;
  /**
   * Whether there is something to settle. Those that have no more to be expected of them are let go; what cannot be reached
   * now is looked at again.
   */
  hasLateEdits(): boolean;
  /**
   * Has everything brought over that was written into them; what could not be is tried again next time. Throws what one of
   * them failed at, after all were tried. To be called while nobody else changes files.
   */
  settle(bringOver: (edit: LateEdit) => Promise<boolean>): Promise<void>;
};

const mostOpen = 100;
/** How long a replaced file is kept open, in milliseconds, where nobody can tell whether it is being written. */
const patience = 10 * 60_000;

type Row = { path: VaultPath; temporary: string };
/** The content of one with a name is in the database, for all processes, and here in case that another one loses it. */
type Open = Row & { fd: number; content: Buffer; hasName: boolean; since: number };
/** What was written into it since, if anything was, and whether no more is to be expected. */
type Look = { late: { before: Buffer; after: Buffer } | null; isLast: boolean };

export function createReplacedFiles(
  root: VaultRoot,
  database: Database,
  elapsed: Clock = () => performance.now(),
): ReplacedFiles {
  const insert = database.prepare('insert into replaced_files values (?, ?, ?)');
  const advance = database.prepare('update replaced_files set content = ? where temporary = ?');
  const remove = database.prepare('delete from replaced_files where temporary = ?');
  const select = database.prepare('select path, temporary from replaced_files');
  const selectAny = database.prepare('select 1 from replaced_files limit 1');
  const selectContent = database.prepare('select content from replaced_files where temporary = ?').pluck();
  const open = new Map<string, Open>();
  /** What files were like, by their temporary name, when they were last read and nothing was new. */
  const read = new Map<string, string>();

  const forget = (temporary: string): void => {
    const fd = open.get(temporary)?.fd;
    open.delete(temporary);
    read.delete(temporary);
    if (fd !== undefined) closeSync(fd);
  };
  const watched = (): Row[] => {
    const rows = select.all() as Row[];
    const names = new Set(rows.map(({ temporary }) => temporary));
    const nameless: Row[] = [];
    for (const each of open.values()) {
      // Another process let it go: nobody writes into it any more, or it was not found where it lay.
      if (!names.has(each.temporary)) each.hasName = false;
      if (!each.hasName) nameless.push(each);
    }
    return [...rows, ...nameless];
  };
  const contentOf = (temporary: string): Buffer | undefined => {
    const kept = open.get(temporary);
    if (kept?.hasName === false) return kept.content;
    const content = selectContent.get(temporary) as Buffer | undefined;
    if (kept !== undefined && content !== undefined) kept.content = content;
    return content;
  };
  const setContent = (temporary: string, content: Buffer): void => {
    advance.run(content, temporary);
    const kept = open.get(temporary);
    if (kept !== undefined) kept.content = content;
  };

  /** Whoever may write is asked first: what comes after the answer "nobody" is nobody's. */
  const lookAt = (fd: number, { path, temporary }: Row): Look => {
    const kept = open.get(temporary);
    const isWritten = isBeingWritten(fd, root, path);
    const isOver = kept?.hasName === false && elapsed() > kept.since + patience;
    const isLast = isWritten === false || (isWritten === null && isOver);
    const { size, mtimeMs, ctimeMs } = fstatSync(fd);
    const present = `${size} ${mtimeMs} ${ctimeMs}`;
    // The last look is a whole one: through a memory map, a file can change and its times stay.
    if (!isLast && read.get(temporary) === present) return { late: null, isLast };
    const after = readAll(fd);
    const before = contentOf(temporary);
    if (before !== undefined && !isEqual(after, before)) return { late: { before, after }, isLast };
    read.set(temporary, present);
    return { late: null, isLast };
  };
  /** Null for one that is gone, and that this process does not have open. */
  const look = (each: Row): Look | null => {
    const fd = open.get(each.temporary)?.fd;
    if (fd !== undefined) return lookAt(fd, each);
    return lookInto(root, each.path, each.temporary, (named) => lookAt(named, each));
  };
  const letGo = ({ path, temporary }: Row): void => {
    const kept = open.get(temporary);
    try {
      removeBeside(root, kept === undefined ? path : placeOf(root, kept), temporary);
      remove.run(temporary);
    } finally {
      // Nobody writes into it: what is left of it is found by its name, if it has one.
      forget(temporary);
    }
  };

  return {
    keep:
      (path) =>
      ({ fd, content, moveTo }) => {
        const temporary = `.keepsake-${randomUUID()}.tmp`;
        const hasName = isBeingWritten(fd, root, path) === true;
        if (hasName) {
          // Written down first, and also when the move fails halfway: nobody would find a file under a name that nobody knows.
          insert.run(temporary, path, content);
          moveTo(temporary);
        }
        if (open.size === mostOpen) closeSync(fd);
        else open.set(temporary, { path, temporary, fd, content, hasName, since: elapsed() });
        return hasName;
      },
    isEmpty: () => open.size === 0 && selectAny.get() === undefined,
    hasLateEdits() {
      let isLate = false;
      for (const each of watched()) {
        try {
          const seen = look(each);
          // What is not there may be on its way to its name, in another process; `settle` is not called meanwhile.
          if (seen === null || seen.late !== null) isLate = true;
          else if (seen.isLast) letGo(each);
        } catch {
          // Its folder is out of reach, or the disk fails; the others are looked at all the same.
        }
      }
      return isLate;
    },
    async settle(bringOver) {
      const failures: unknown[] = [];
      for (const each of watched()) {
        try {
          const seen = look(each);
          if (seen === null) letGo(each);
          else if (seen.late !== null && (await bringOver({ path: each.path, ...seen.late })))
            setContent(each.temporary, seen.late.after);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A path in the folder that an open file lies in now: it may have been moved. Only Linux tells. */
function placeOf(root: VaultRoot, { fd, path }: Open): VaultPath {
  try {
    const folder = relative(root, dirname(readlinkSync(`/proc/self/fd/${fd}`)));
    const parsed = parseVaultPath(`${rootPath}/${folder}/${nameOf(path)}`);
    return parsed.ok ? parsed.path : path;
  } catch {
    return path;
  }
}
