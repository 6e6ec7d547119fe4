import { existsSync, readFileSync, statSync } from 'node:fs';
import { AppError } from './error.ts';

/** The content of a file with secrets; undefined if it does not exist. Throws if other users can read it. */
export function readPrivateFile(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new AppError('bad-configuration', `${file} is readable by other users`, {
      hint: `run: chmod 600 '${file}'`,
    });
  return readFileSync(file, 'utf8');
}
