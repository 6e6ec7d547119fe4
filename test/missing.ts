import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Requirements of tests beyond Node.js, git and a POSIX shell: whether they are met, and the message if not. */
const needs = {
  Linux: { isMet: () => process.platform === 'linux', reason: 'only Linux has this' },
  POSIX: { isMet: () => process.platform !== 'win32', reason: 'Windows does not have this' },
  'paths of renamed files': {
    isMet: () => process.env['WINEPREFIX'] === undefined,
    reason: 'Wine does not follow an open file that is renamed',
  },
  mounts: { isMet: canMount, reason: 'mounting needs root on Linux' },
  FUSE: {
    isMet: () => canMount() && isUsable('/dev/fuse', constants.R_OK | constants.W_OK),
    reason: 'FUSE is not available',
  },
  'lowntfs-3g': { isMet: () => findProgram('lowntfs-3g') !== null, reason: 'lowntfs-3g is not installed' },
  bubblewrap: {
    isMet: () => spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0,
    reason: 'bubblewrap is not installed, or may not create namespaces',
  },
  Chromium: { isMet: () => findChromium() !== null, reason: 'Chromium is not installed' },
  LibreOffice: { isMet: () => findProgram('soffice') !== null, reason: 'LibreOffice is not installed' },
  PostgreSQL: { isMet: () => findPostgres() !== null, reason: 'PostgreSQL is not installed' },
} satisfies Record<string, { isMet: () => boolean; reason: string }>;

const printed = new Set<string>();

/** Returns why tests with these needs cannot run here, or null; for `skipIf` and `context.skip`. Prints the reason. */
export function missing(...named: (keyof typeof needs)[]): string | null {
  const unmet = named.map((name) => needs[name]).find(({ isMet }) => !isMet());
  return unmet === undefined ? null : printSkip(unmet.reason);
}

/** Prints why tests are skipped, once per process, and returns the reason. */
export function printSkip(reason: string): string {
  if (!printed.has(reason)) console.log(`skipped: ${reason}`);
  printed.add(reason);
  return reason;
}

/**
 * Debian's Chromium, preferably the headless shell, which is twice as fast; or the Chrome of GitHub's runners. `KEEPSAKE_CHROMIUM` names
 * another executable.
 */
export function findChromium(): string | null {
  const chosen = process.env['KEEPSAKE_CHROMIUM'];
  if (chosen !== undefined) return existsSync(chosen) ? chosen : null;
  return findProgram('chromium-headless-shell') ?? findProgram('chromium') ?? findProgram('google-chrome');
}

/** The folder of the PostgreSQL executables, which is not in PATH on Debian. */
export function findPostgres(): string | null {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const folders = newestFirst.map((version) => join('/usr/lib/postgresql', version, 'bin'));
  return [...folders, ...searchPath()].find((folder) => isUsable(join(folder, 'initdb'))) ?? null;
}

function findProgram(name: string): string | null {
  const places = searchPath().map((folder) => join(folder, name));
  return places.find((file) => isUsable(file)) ?? null;
}

function searchPath(): string[] {
  return (process.env['PATH'] ?? '').split(delimiter);
}

/** Being root is not enough, because a container may forbid mounting. */
function canMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

function isUsable(file: string, mode: number = constants.X_OK): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
