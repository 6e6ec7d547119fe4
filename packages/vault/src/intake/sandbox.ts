import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** What the process that converts is kept in besides Node's permissions, which do not bind native code. */
export type Sandbox = {
  /** The program bubblewrap; null where there is none. */
  command: string | null;
  /** Whether nothing is converted without it. */
  isRequired: boolean;
  /** Told once, and why, when it cannot be used. Must not throw. */
  onUnusable: (reason: string) => void;
};

/** Looks for bubblewrap along a search path. */
export function findSandbox(searchPath: string): string | null {
  const places = searchPath.split(delimiter).map((folder) => join(folder, 'bwrap'));
  return places.find((file) => existsSync(file)) ?? null;
}

/** Why it cannot be used here; null when it can. */
export async function trySandbox(command: string): Promise<string | null> {
  const given = [...sandboxArguments([process.execPath]), process.execPath, '--version'];
  return new Promise((resolve) => {
    execFile(command, given, { env: {} }, (error, _, said) =>
      resolve(error === null ? null : said.trim() || error.message),
    );
  });
}

/** Where systems keep the libraries that Node needs. */
const libraries = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/etc/ld.so.cache'];

/**
 * What bubblewrap is told, before the program: namespaces of its own for everything, so no network and no other process to see; of
 * the file system only what is named, and that to be read.
 */
export function sandboxArguments(readable: readonly string[]): string[] {
  const bound = [...libraries, ...readable].flatMap((path) => ['--ro-bind-try', path, path]);
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    ...bound,
    '--dev',
    '/dev',
    '--chdir',
    '/',
    '--',
  ];
}
