import { rmSync } from 'node:fs';
import { basename } from 'node:path';

/** The names of replaced files that another program may still write to. */
const temporaryName = /^\.keepsake-[\da-f-]+\.tmp$/;

export function isTemporaryFile(file: string): boolean {
  return temporaryName.test(basename(file));
}

/** Deletes a temporary file of Keepsake in the vault. Later writes to it by another program are lost. */
export function removeTemporaryFile(file: string): void {
  if (isTemporaryFile(file)) rmSync(file, { force: true });
}
