import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Only one process at a time writes to our repositories, so a remaining lock file belongs to a git process that was killed. A `.keep` file
 * locks a pack against being replaced.
 */
export function removeStaleLocks(folder: string): void {
  for (const below of ['', 'refs/heads', 'refs/keepsake', 'objects/info', 'objects/pack'])
    removeFiles(join(folder, below), /\.(?:lock|keep)$/);
}

/**
 * Removes what a killed git process had written of a pack or of an object. It may be a copy of all of history, no git command finds all
 * of these files, and `git prune` leaves some.
 */
export function removeUnfinishedObjects(folder: string): void {
  const objects = join(folder, 'objects');
  removeFiles(join(objects, 'pack'), /^(?:\.tmp-|tmp_)/);
  for (const below of listNames(objects))
    if (/^[\da-f]{2}$/.test(below)) removeFiles(join(objects, below), /^tmp_obj_/);
}

function removeFiles(folder: string, pattern: RegExp): void {
  for (const name of listNames(folder)) if (pattern.test(name)) rmSync(join(folder, name), { force: true });
}

function listNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
