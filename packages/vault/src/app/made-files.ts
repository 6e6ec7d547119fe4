import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../vault/index.ts';

/**
 * The files and folders that a copy has made at its target. It removes those, and nothing that another program has put there
 * or changed meanwhile.
 */
export type MadeFiles = {
  noteFolder(path: string): void;
  /** Remembers a file or link as it is now; to be called again after changing it. */
  noteFile(path: string): void;
  /** Removes a file, or a folder with everything in it, as far as it was made here and is unchanged. */
  remove(path: string): void;
  /** Removes everything that was made. What cannot be removed stays: why the copy failed matters more. */
  removeAll(): void;
};

const folder = 'folder';

export function createMadeFiles(): MadeFiles {
  const made = new Map<string, string>();
  const remove = (path: string): void => {
    const known = made.get(path);
    made.delete(path);
    if (known === undefined || known !== signatureOf(path)) return;
    if (known !== folder) return unlinkSync(path);
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) remove(join(path, name));
    removeEmpty(path);
  };
  return {
    noteFolder: (path) => void made.set(path, folder),
    noteFile(path) {
      const signature = signatureOf(path);
      if (signature !== null) made.set(path, signature);
    },
    remove,
    removeAll() {
      // A folder was noted before what is in it.
      for (const path of made.keys())
        try {
          remove(path);
        } catch {
          continue;
        }
    },
  };
}

/** Without the time of the last change of any kind, which permissions and the flushing of files move. */
function signatureOf(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isDirectory() ? folder : [stats.ino, stats.size, stats.mtimeNs].join(' ');
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOTEMPTY' && systemCode(error) !== 'EEXIST') throw error;
  }
}
