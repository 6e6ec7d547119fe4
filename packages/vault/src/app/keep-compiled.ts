import { lstatSync, mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Environment } from './environment.ts';

/** Keeps what is compiled from now on for the next start, where nobody else could put something in its place. */
export function keepCompiled({ stateHome }: Environment): void {
  const folder = join(stateHome, 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    const isOurs = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
    if (isOurs) enableCompileCache(folder);
  } catch {
    // It is only slower.
  }
}
