import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createFolders } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { snapshotDurable } from './databases.ts';
import type { DurableSnapshot } from './databases.ts';
import { AppError } from './error.ts';
import { fsyncFolder, fsyncTreeAndParents } from './fsync.ts';
import type { Keepsake } from './keepsake.ts';
import { trackCreatedFiles } from './created-files.ts';
import { createMirror } from './mirror.ts';
import { recordBackup } from './known-backups.ts';
import { isInside } from './state-folder.ts';

/** Written last: a folder without this file is not a complete backup. */
export const manifestName = 'backup.json';

/**
 * Copies a consistent snapshot of vault, history, queue and journal into a new folder that only the user can read. Most files are
 * copied while writers continue; then all writers wait until the files that changed meanwhile are copied again. Catalogue and
 * index are omitted, because they can be rebuilt. Returns the files that another program changed during every attempt to copy
 * them; all other files are consistent.
 */
export async function backUp(
  { root, state, changes }: Pick<Keepsake, 'root' | 'state' | 'changes'>,
  target: string,
): Promise<{ torn: string[] }> {
  assertValidTarget(target, { vault: root, 'state folder': state.folder() });
  const made = trackCreatedFiles();
  createFolders(target);
  made.recordFolder(target);
  chmodSync(target, 0o700);
  const copied = join(target, 'state');
  const manifestFile = join(target, manifestName);
  try {
    mkdirSync(copied, { mode: 0o700 });
    made.recordFolder(copied);
    const vault = createMirror(root, join(target, 'vault'), { made });
    const mirrors = new Map([['', vault]]);
    const mirrorAll = (check?: () => void): string[] => {
      // A damaged history that was moved aside may contain changes that exist nowhere else.
      for (const name of listHistoryFolders(state.folder()))
        if (!mirrors.has(name))
          mirrors.set(
            name,
            createMirror(join(state.folder(), name), join(copied, name), { isPrivate: true, made }),
          );
      return [...mirrors.values()].flatMap((mirror) => mirror(check && { check }));
    };
    mirrorAll();
    const { torn, durable } = await changes.withExclusiveAccess(async (check) => ({
      torn: mirrorAll(check),
      durable: state.hasDurable() ? snapshotDurable(state.folder(), check) : null,
    }));
    // Writers do not wait for this copy, however large the database is.
    if (durable !== null) await copySnapshot(durable, databaseFile(copied, 'durable'));
    fsyncTreeAndParents(resolve(target));
    const manifest = { version: 1, at: new Date().toISOString(), vault: root, torn };
    writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    fsyncFolder(target);
    recordBackup(state.folder(), resolve(target));
    return { torn };
  } catch (error) {
    for (const file of [databaseFile(copied, 'durable'), manifestFile]) made.recordFile(file);
    made.removeAll();
    throw error;
  }
}

async function copySnapshot(snapshot: DurableSnapshot, file: string): Promise<void> {
  try {
    await snapshot.copyTo(file);
  } finally {
    snapshot.close();
  }
  chmodSync(file, 0o600);
}

function assertValidTarget(target: string, originals: Record<string, string>): void {
  if (existsSync(target))
    throw new AppError('bad-target', `${target} already exists`, {
      hint: 'choose a folder that does not exist',
    });
  // A backup inside a folder that it copies would contain itself.
  for (const [name, folder] of Object.entries(originals))
    if (isInside(resolve(target), folder))
      throw new AppError('bad-target', `${target} is inside the ${name} ${folder}`, {
        hint: 'choose a folder outside it, preferably on another disk',
      });
}

/** The names of the history folders in a state folder. */
export function listHistoryFolders(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith('history.git'));
}
