import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fsyncFolder } from './fsync.ts';

/**
 * Replaces a file atomically and durably: others read the old or the new content, and a power loss leaves one of them. Only the user can
 * read it. Its folder must exist.
 */
export function replaceFile(file: string, content: string): void {
  // A unique name keeps two concurrent processes apart.
  const temporaryFile = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporaryFile, content, { flag: 'wx', flush: true, mode: 0o600 });
    renameSync(temporaryFile, file);
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  fsyncFolder(dirname(file));
}
