import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultRoot } from '../vault/index.ts';
import { AppError } from './error.ts';
import { hasDurableDatabase, openDurableDatabase } from './databases.ts';

/** Copies vault, history, queue and journal into a new folder. What can be rebuilt, catalogue and index, stays out. */
export async function backUp(
  { root, stateFolder }: { root: VaultRoot; stateFolder: string },
  target: string,
): Promise<void> {
  if (existsSync(target))
    throw new AppError('bad-target', `${target} exists already; name a folder that does not`);
  mkdirSync(join(target, 'state'), { recursive: true });
  cpSync(root, join(target, 'vault'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const history = join(stateFolder, 'history.git');
  if (existsSync(history)) cpSync(history, join(target, 'state', 'history.git'), { recursive: true });
  if (!hasDurableDatabase(stateFolder)) return;
  const database = openDurableDatabase(stateFolder);
  await database.backup(join(target, 'state', 'keepsake.sqlite'));
  database.close();
}
