import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderMarker } from '../sync/index.ts';
import { identityFolder, systemCode } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { AppError } from './error.ts';
import { flushFolder } from './flush.ts';

/** Keeps the marker of a synced folder beside the identity of the vault: what is hidden there does not travel. */
export function createFolderMarker(root: VaultRoot): FolderMarker {
  const folder = join(root, identityFolder);
  const fileOf = (folderId: string): string => join(folder, `sync-${folderId}.json`);
  return {
    read(folderId) {
      try {
        return commitIn(readFileSync(fileOf(folderId), 'utf8'));
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    write(folderId, commit) {
      const [file, next] = [fileOf(folderId), `${fileOf(folderId)}.new`];
      try {
        // Left behind by a process that ended in the middle.
        rmSync(next, { force: true });
        const opened = openSync(next, 'wx');
        try {
          writeFileSync(opened, `${JSON.stringify({ version: 1, commit })}\n`);
          fsyncSync(opened);
        } finally {
          closeSync(opened);
        }
        renameSync(next, file);
        flushFolder(folder);
      } catch (cause) {
        if (systemCode(cause) !== 'ENOENT') throw cause;
        throw new AppError(
          'bad-state',
          `${folder} is gone: the vault was removed or unmounted during the sync`,
          {
            mend: 'put it back and sync again',
            cause,
          },
        );
      }
    },
  };
}

/** Null for what is damaged or from a newer version: the folder is then synced from the start. */
function commitIn(text: string): string | null {
  try {
    const { version, commit } = JSON.parse(text) as { version?: unknown; commit?: unknown };
    return version === 1 && typeof commit === 'string' && /^[\da-f]{40,64}$/.test(commit) ? commit : null;
  } catch {
    return null;
  }
}
