import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { FolderMark, FolderMarker } from '../sync/index.ts';
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
    read: (folderId) => readMarker(fileOf(folderId)),
    removalKeys: () =>
      readdirSync(folder)
        .filter((name) => /^sync-[^.]+\.json$/.test(name))
        .flatMap((name) => readMarker(join(folder, name))?.removalKey ?? []),
    write(folderId, { commit, removalKey }) {
      const [file, next] = [fileOf(folderId), `${fileOf(folderId)}.new`];
      try {
        // May be left over from a process that crashed.
        rmSync(next, { force: true });
        const opened = openSync(next, 'wx');
        try {
          writeFileSync(opened, `${JSON.stringify({ version: 1, commit, removalKey })}\n`);
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

function readMarker(file: string): FolderMark | null {
  try {
    return parseMarker(readFileSync(file, 'utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

const markerSchema = z.object({
  version: z.literal(1),
  commit: z.string().regex(/^[\da-f]{40,64}$/),
  removalKey: z.string().nullable().default(null),
});

/** Null when the marker is damaged or from a newer version: the folder is then synced from the start. */
function parseMarker(text: string): FolderMark | null {
  try {
    return markerSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
