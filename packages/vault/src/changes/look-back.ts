import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { nameOf, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { removeBeside } from './apply.ts';
import type { Keep } from './apply.ts';
import { isBeingWritten } from './file-primitives.ts';
import { createInspector } from './inspect-replaced.ts';
import { createTrackedFiles } from './tracked-files.ts';
import type { OpenFile, TrackedFile } from './tracked-files.ts';

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

export function createReplacedFiles(
  root: VaultRoot,
  database: Database,
  elapsed: Clock = () => performance.now(),
): ReplacedFiles {
  const tracked = createTrackedFiles(database, elapsed);
  const inspector = createInspector(root, tracked, elapsed);
  const letGo = ({ path, temporary }: TrackedFile): void => {
    const kept = tracked.opened(temporary);
    try {
      removeBeside(root, kept === undefined ? path : placeOf(root, kept), temporary);
      tracked.remove(temporary);
    } finally {
      // Nobody writes into it: what is left of it is found by its name, if it has one.
      inspector.forget(temporary);
      tracked.close(temporary);
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
          tracked.add({ temporary, path }, content);
          moveTo(temporary);
        }
        tracked.keepOpen({ path, temporary, fd, content, hasName });
        return hasName;
      },
    isEmpty: () => tracked.isEmpty(),
    hasLateEdits() {
      let isLate = false;
      for (const each of tracked.list()) {
        try {
          const seen = inspector.inspect(each);
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
      for (const each of tracked.list()) {
        try {
          const seen = inspector.inspect(each);
          if (seen === null) letGo(each);
          else if (seen.late !== null && (await bringOver({ path: each.path, ...seen.late })))
            tracked.setContent(each.temporary, seen.late.after);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A path in the folder that an open file lies in now: it may have been moved. Only Linux tells. */
function placeOf(root: VaultRoot, { fd, path }: OpenFile): VaultPath {
  try {
    const folder = relative(root, dirname(readlinkSync(`/proc/self/fd/${fd}`)));
    const parsed = parseVaultPath(`${rootPath}/${folder}/${nameOf(path)}`);
    return parsed.ok ? parsed.path : path;
  } catch {
    return path;
  }
}
