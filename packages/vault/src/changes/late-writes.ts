import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { baseName, parseVaultPath, rootPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { removeSibling } from './apply-file-change.ts';
import type { RetainReplaced } from './apply-file-change.ts';
import { isBeingWritten } from './atomic-files.ts';
import { createInspector } from './inspect-replaced.ts';
import { createTrackedFiles } from './tracked-files.ts';
import type { OpenFile, TrackedFile } from './tracked-files.ts';

/** A write to a file after Keepsake had replaced it. */
export type LateWrite = { path: VaultPath; before: Buffer; after: Buffer };

/**
 * Files that were replaced while another program had them open. If the program is known to write, the file keeps a hidden
 * name, so that later processes find its writes, too; if writers cannot be detected, it has no name. Both kinds are kept
 * open, so that they are found even when their folder is moved.
 */
export type ReplacedFiles = {
  retain: (path: VaultPath) => RetainReplaced;
  isEmpty(): boolean;
  /**
   * Whether any replaced file received a late write. Files that no program has open any more are released; files that
   * cannot be read now are checked again next time.
   */
  hasLateWrites(): boolean;
  /**
   * Passes all late writes to the callback; those for which it returns false are tried again next time. Tries all files,
   * then throws the first error. Call it while no other process changes files.
   */
  collectLateWrites(mergeLateWrite: (edit: LateWrite) => Promise<boolean>): Promise<void>;
};

export function createReplacedFiles(
  root: VaultRoot,
  database: Database,
  monotonicNow: Clock = () => performance.now(),
): ReplacedFiles {
  const tracked = createTrackedFiles(database, monotonicNow);
  const inspector = createInspector(root, tracked, monotonicNow);
  const release = ({ path, temporary }: TrackedFile): void => {
    const openFile = tracked.opened(temporary);
    try {
      removeSibling(root, openFile === undefined ? path : currentPathOf(root, openFile), temporary);
      tracked.remove(temporary);
    } finally {
      // No program writes to the file any more. If it could not be removed, it is found later by its recorded name.
      inspector.forget(temporary);
      tracked.close(temporary);
    }
  };

  return {
    retain:
      (path) =>
      ({ fd, content, moveTo }) => {
        const temporary = `.keepsake-${randomUUID()}.tmp`;
        const hasName = isBeingWritten(fd, root, path) === true;
        if (hasName) {
          // Recorded before the move, in case the move fails halfway: a file with an unrecorded name would never be found.
          tracked.add({ temporary, path }, content);
          moveTo(temporary);
        }
        tracked.keepOpen({ path, temporary, fd, content, hasName });
        return hasName;
      },
    isEmpty: () => tracked.isEmpty(),
    hasLateWrites() {
      let isLate = false;
      for (const each of tracked.list()) {
        try {
          const inspection = inspector.inspect(each);
          // If the file is missing, another process may be about to give it its name. Only `collectLateWrites` can
          // tell, because no other process changes files meanwhile.
          if (inspection === null || inspection.late !== null) isLate = true;
          else if (inspection.isFinal) release(each);
        } catch {
          // Its folder is unreachable or the disk fails; the other files are still inspected.
        }
      }
      return isLate;
    },
    async collectLateWrites(mergeLateWrite) {
      const failures: unknown[] = [];
      for (const each of tracked.list()) {
        try {
          const inspection = inspector.inspect(each);
          if (inspection === null) release(each);
          else if (
            inspection.late !== null &&
            (await mergeLateWrite({ path: each.path, ...inspection.late }))
          )
            tracked.setContent(each.temporary, inspection.late.after);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** The path of an open file in its current folder, because the folder may have been moved. Only Linux reports it. */
function currentPathOf(root: VaultRoot, { fd, path }: OpenFile): VaultPath {
  try {
    const folder = relative(root, dirname(readlinkSync(`/proc/self/fd/${fd}`)));
    const parsed = parseVaultPath(`${rootPath}/${folder}/${baseName(path)}`);
    return parsed.ok ? parsed.path : path;
  } catch {
    return path;
  }
}
