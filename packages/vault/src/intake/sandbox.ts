import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * The sandbox of the converter process, which is needed because Node's permission model does not restrict native code.
 */
export type Sandbox = {
  /** Path of the bubblewrap executable; null when it is not installed. */
  command: string | null;
  /** Whether documents are rejected when the sandbox is unavailable. */
  isRequired: boolean;
  /** Called once with the reason when the sandbox cannot be used. Must not throw. */
  onUnavailable: (reason: string) => void;
};

/** Searches a search path (`PATH`) for bubblewrap. */
export function findSandbox(searchPath: string): string | null {
  const places = searchPath.split(delimiter).map((folder) => join(folder, 'bwrap'));
  return places.find((file) => existsSync(file)) ?? null;
}

/** Returns why the sandbox cannot be used on this machine; null when it can. */
export async function trySandbox(command: string): Promise<string | null> {
  const args = [...sandboxArguments([process.execPath]), process.execPath, '--version'];
  return new Promise((resolve) => {
    execFile(command, args, { env: {}, windowsHide: true }, (error, _, stderr) =>
      resolve(error === null ? null : stderr.trim() || error.message),
    );
  });
}

/** The libraries that Node needs, on common systems. */
const libraries = ['/usr/lib', '/usr/lib64', '/lib', '/lib64', '/etc/ld.so.cache'];

/**
 * The arguments of bubblewrap before the program: separate namespaces for everything, so there is no network and no other process is
 * visible, and read-only access to the named paths.
 */
export function sandboxArguments(readable: readonly string[]): string[] {
  const bound = [...libraries, ...readable].flatMap((path) => ['--ro-bind-try', path, path]);
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--cap-drop',
    'ALL',
    // Before the named paths, which may be below /dev/shm and would otherwise be hidden.
    '--dev',
    '/dev',
    ...bound,
    '--chdir',
    '/',
    '--',
  ];
}
