import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

/** Caches compiled code for the next start, but only in a folder that no other user can write to. */
export function enableCompileCache({ stateHome }: Environment): void {
  const folder = join(stateHome, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    if (isOurs) module.enableCompileCache(folder);
  } catch {
    // Without the cache, the next start is only slower.
  }
}
