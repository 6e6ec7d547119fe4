import { existsSync, readFileSync, statSync } from 'node:fs';
import { AppError } from './error.ts';

/** The content of a file with secrets; undefined if it does not exist. It is not read if other users can read it. */
export function loadPrivateFile(file: string): { text: string | undefined } | { problem: AppError } {
  if (!existsSync(file)) return { text: undefined };
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0)
    return { text: readFileSync(file, 'utf8') };
  const hint = `run: chmod 600 '${file}'`;
  return { problem: new AppError('bad-configuration', `${file} is readable by other users`, { hint }) };
}

/** The same, but throws the problem. */
export function readPrivateFile(file: string): string | undefined {
  const loaded = loadPrivateFile(file);
  if ('problem' in loaded) throw loaded.problem;
  return loaded.text;
}
