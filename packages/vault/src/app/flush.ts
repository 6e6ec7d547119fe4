import { chmodSync, closeSync, fchmodSync, fsyncSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../vault/index.ts';

/**
 * Returns when all files and folders below a path are on the disk, and the folders above, which name it. All at once and
 * last: nobody waits for a disk while files are copied, and the names of all are written with those of the first.
 */
export function flushTree(path: string): void {
  flushBelow(path);
  for (let at = path; dirname(at) !== at; at = dirname(at)) flushFolder(dirname(at));
}

function flushBelow(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return flushFile(path, stats.mode & 0o7777);
  if (stats?.isDirectory() !== true) return;
  for (const name of readdirSync(path)) flushBelow(join(path, name));
  flushFolder(path);
}

/** Some systems flush only what is open for writing, which a copy of a protected file is not before it may be. */
function flushFile(path: string, mode: number): void {
  if ((mode & 0o600) !== 0o600) chmodSync(path, mode | 0o600);
  const file = openSync(path, 'r+');
  try {
    if ((mode & 0o600) !== 0o600) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Windows and some network drives do not flush folders; those above may belong to others. */
const cannotBeFlushed = new Set(['EINVAL', 'EISDIR', 'EPERM', 'EACCES', 'EBADF', 'ENOTSUP', 'EOPNOTSUPP']);

export function flushFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!cannotBeFlushed.has(systemCode(error) ?? '')) throw error;
  }
}
