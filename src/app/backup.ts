import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from './error.ts';
import type { Keepsake } from './keepsake.ts';

/** Copies vault, history, queue and journal into a new folder. What can be rebuilt, catalogue and index, stays out. */
export async function backUp(
  { root, state }: Pick<Keepsake, 'root' | 'state'>,
  target: string,
): Promise<void> {
  if (existsSync(target))
    throw new AppError('bad-target', `${target} exists already`, { mend: 'name a folder that does not' });
  mkdirSync(join(target, 'state'), { recursive: true });
  cpSync(root, join(target, 'vault'), { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  const history = join(state.folder(), 'history.git');
  if (existsSync(history)) cpSync(history, join(target, 'state', 'history.git'), { recursive: true });
  if (state.hasDurable()) await state.databases().durable.backup(join(target, 'state', 'keepsake.sqlite'));
}
