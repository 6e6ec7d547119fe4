import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderMarker } from '../sync/index.ts';
import { identityFolder, errorCode } from '../vault/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { AppError } from './error.ts';
import { fsyncFolder } from './fsync.ts';

/**
 * Stores the marker of a synced folder, which records its last synced commit, next to the identity of the vault, in a
 * hidden folder that is not synced.
 */
export function createFolderMarker(root: VaultRoot): FolderMarker {
  const folder = join(root, identityFolder);
  const fileOf = (folderId: string): string => join(folder, `sync-${folderId}.json`);
  return {
    read(folderId) {
      try {
        return parseMarker(readFileSync(fileOf(folderId), 'utf8'));
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return null;
        throw error;
      }
    },
    write(folderId, commit) {
      const [file, next] = [fileOf(folderId), `${fileOf(folderId)}.new`];
      try {
        // May be left over from a process that crashed.
        rmSync(next, { force: true });
        const opened = openSync(next, 'wx');
        try {
          writeFileSync(opened, `${JSON.stringify({ version: 1, commit })}\n`);
          fsyncSync(opened);
        } finally {
          closeSync(opened);
        }
        renameSync(next, file);
        fsyncFolder(folder);
      } catch (cause) {
        if (errorCode(cause) !== 'ENOENT') throw cause;
        throw new AppError(
          'bad-state',
          `${folder} is missing: the vault was removed or unmounted during the sync`,
          {
            hint: 'restore it and sync again',
            cause,
          },
        );
      }
    },
  };
}

/** Null when the marker is damaged or from a newer version: the folder is then synced from the start. */
function parseMarker(text: string): string | null {
  try {
    const { version, commit } = JSON.parse(text) as { version?: unknown; commit?: unknown };
    return version === 1 && typeof commit === 'string' && /^[\da-f]{40,64}$/.test(commit) ? commit : null;
  } catch {
    return null;
  }
}
