import { chmodSync, closeSync, fchmodSync, fsyncSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../vault/index.ts';

/**
 * Flushes all files and folders below a path to disk, and the folders above it, which contain its name. Called once after copying,
 * because flushing each file while copying would be slower.
 */
export function fsyncTreeAndParents(path: string): void {
  fsyncTree(path);
  for (let at = path; dirname(at) !== at; at = dirname(at)) fsyncFolder(dirname(at));
}

function fsyncTree(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return fsyncFile(path, stats.mode & 0o7777);
  if (stats?.isDirectory() !== true) return;
  for (const name of readdirSync(path)) fsyncTree(join(path, name));
  fsyncFolder(path);
}

/** Some systems flush only files that are open for writing, so a read-only file is made writable for a moment. */
function fsyncFile(path: string, mode: number): void {
  if ((mode & 0o600) !== 0o600) chmodSync(path, mode | 0o600);
  const file = openSync(path, 'r+');
  try {
    if ((mode & 0o600) !== 0o600) fchmodSync(file, mode);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Windows and some network drives cannot flush folders, and parent folders may belong to other users. */
const unsupportedFsyncCodes = new Set([
  'EINVAL',
  'EISDIR',
  'EPERM',
  'EACCES',
  'EBADF',
  'ENOTSUP',
  'EOPNOTSUPP',
]);

export function fsyncFolder(path: string): void {
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!unsupportedFsyncCodes.has(errorCode(error) ?? '')) throw error;
  }
}
