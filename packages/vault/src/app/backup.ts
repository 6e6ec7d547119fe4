import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { databaseFile } from './database-files.ts';
import { snapshotDurable } from './databases.ts';
import type { DurableSnapshot } from './databases.ts';
import { AppError } from './error.ts';
import { flushFolder, flushTree } from './flush.ts';
import type { Keepsake } from './keepsake.ts';
import { createMadeFiles } from './made-files.ts';
import { createMirror } from './mirror.ts';
import { liesIn } from './state-folder.ts';

/** The last file that is written: a folder without it is no whole backup. */
export const manifestName = 'backup.json';

/**
 * Copies vault, history, queue and journal into a new folder, as they are at one moment, for its owner alone. Most is copied
 * while everybody goes on; then all writers wait until what changed meanwhile is copied, too. What can be made anew, catalogue
 * and index, stays out. Gives the files that somebody else changed too often for a whole copy (`torn`); the rest is whole.
 */
export async function backUp(
  { root, state, changes }: Pick<Keepsake, 'root' | 'state' | 'changes'>,
  target: string,
): Promise<{ torn: string[] }> {
  refuseTarget(target, { vault: root, 'state folder': state.folder() });
  const made = createMadeFiles();
  mkdirSync(target, { recursive: true });
  made.noteFolder(target);
  chmodSync(target, 0o700);
  const copied = join(target, 'state');
  const manifestFile = join(target, manifestName);
  try {
    mkdirSync(copied, { mode: 0o700 });
    made.noteFolder(copied);
    const vault = createMirror(root, join(target, 'vault'), { made });
    const mirrors = new Map([['', vault]]);
    const mirrorAll = (check?: () => void): string[] => {
      // Histories that were damaged and set aside may hold what no other has.
      for (const name of historiesIn(state.folder()))
        if (!mirrors.has(name))
          mirrors.set(
            name,
            createMirror(join(state.folder(), name), join(copied, name), { isPrivate: true, made }),
          );
      return [...mirrors.values()].flatMap((mirror) => mirror(check && { check }));
    };
    mirrorAll();
    const { torn, durable } = await changes.whileStill(async (check) => ({
      torn: mirrorAll(check),
      durable: state.hasDurable() ? snapshotDurable(state.folder(), check) : null,
    }));
    // Nobody waits for it, however large it is.
    if (durable !== null) await copySnapshot(durable, databaseFile(copied, 'durable'));
    flushTree(resolve(target));
    const manifest = { version: 1, at: new Date().toISOString(), vault: root, torn };
    writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`, {
      mode: 0o600,
      flush: true,
    });
    flushFolder(target);
    return { torn };
  } catch (error) {
    for (const file of [databaseFile(copied, 'durable'), manifestFile]) made.noteFile(file);
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

function refuseTarget(target: string, originals: Record<string, string>): void {
  if (existsSync(target))
    throw new AppError('bad-target', `${target} exists already`, { mend: 'name a folder that does not' });
  // It would be copied into itself.
  for (const [name, folder] of Object.entries(originals))
    if (liesIn(resolve(target), folder))
      throw new AppError('bad-target', `${target} lies in the ${name} ${folder}; nothing was copied`, {
        mend: 'name a folder elsewhere, best on another disk',
      });
}

/** The folders of a state that hold history. */
export function historiesIn(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith('history.git'));
}
