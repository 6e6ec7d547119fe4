import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../vault/index.ts';

/**
 * Tracks the files and folders that a copy has created at its target. Removes only those, never a file that another
 * program has created or changed.
 */
export type CreatedFiles = {
  recordFolder(path: string): void;
  /** Records the current state of a file or link; call it again after changing the file. */
  recordFile(path: string): void;
  /** Removes a file, or a folder and its content, except what was not recorded or has changed since. */
  remove(path: string): void;
  /** Removes everything that was recorded. Errors are ignored, so that the error of the failed copy is reported. */
  removeAll(): void;
};

const folder = 'folder';

export function trackCreatedFiles(): CreatedFiles {
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
    recordFolder: (path) => void made.set(path, folder),
    recordFile(path) {
      const signature = signatureOf(path);
      if (signature !== null) made.set(path, signature);
    },
    remove,
    removeAll() {
      // Folders were recorded before their content, and removing a folder also removes its recorded content.
      for (const path of made.keys())
        try {
          remove(path);
        } catch {
          continue;
        }
    },
  };
}

/** Excludes ctime, which changes with permissions and when files are flushed. */
function signatureOf(path: string): string | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  return stats.isDirectory() ? folder : [stats.ino, stats.size, stats.mtimeNs].join(' ');
}

function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error;
  }
}
