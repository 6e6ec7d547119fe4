import { createHash, randomBytes } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { readArchive } from './archive.ts';

export type UnpackOptions = {
  /** The folder with one subfolder per version. */
  home: string;
  /** SHA-256 of the archive in hexadecimal digits. */
  hash: string;
  archive: () => Uint8Array;
  now?: () => number;
};

/** The program cannot be unpacked, or the unpacked one cannot be trusted. */
export class UnpackError extends Error {}

/** Written last: its existence says that the folder is complete, its time that the folder was used. */
const markerName = 'complete.json';
type Marker = { name: string; size: number }[];

const dayMs = 24 * 3_600_000;
/** How long the program of another version is kept after its last use. A running process renews the time of its own. */
const keptMs = 30 * dayMs;
/** Unfinished folders are removed after this time; unpacking takes seconds. */
const unfinishedMs = 3_600_000;
export const renewalMs = dayMs / 2;

/**
 * Returns the folder with the unpacked program, and unpacks it first if there is none. A folder gets its name only when it
 * is complete and on disk, so another process, or the next one after a crash, never sees half a program. Once a day the
 * files are compared with the list of their sizes, because programs that clean caches remove single files.
 */
export function unpackProgram(options: UnpackOptions): string {
  const { home, hash, now = Date.now } = options;
  const folder = join(home, hash.slice(0, 16));
  try {
    const usedAt = lastUse(folder);
    if (usedAt !== null) {
      requireOwn(home);
      requireOwn(folder);
      if (now() - usedAt < dayMs) return folder;
      if (isIntact(folder)) {
        renewUse(folder, now);
        removeUnused(home, folder, now);
        return folder;
      }
    }
    mkdirSync(home, { recursive: true, mode: 0o700 });
    requireOwn(home);
    writeProgram(options, folder);
    removeUnused(home, folder, now);
    return folder;
  } catch (error) {
    if (error instanceof UnpackError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new UnpackError(
      `Keepsake cannot be unpacked into ${folder} (${code}); free 100 MB there, or set XDG_CACHE_HOME to a folder that you can write to`,
      { cause: error },
    );
  }
}

/** Marks the folder as used, so that other versions do not remove it. A running process must not fail because of it. */
export function renewUse(folder: string, now: () => number = Date.now): void {
  try {
    utimesSync(join(folder, markerName), now() / 1000, now() / 1000);
  } catch {
    // The folder was removed; the next start unpacks it again.
  }
}

/** The time of the last recorded use in milliseconds; null if the folder is not complete. */
function lastUse(folder: string): number | null {
  return lstatSync(join(folder, markerName), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** Code is run only from a folder that no other user can write to. Windows keeps other users out of the profile. */
function requireOwn(folder: string): void {
  const stats = lstatSync(folder);
  const isOwn =
    stats.isDirectory() &&
    (process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o022) === 0));
  if (!isOwn)
    throw new UnpackError(
      `${folder} belongs to another user or can be changed by one; remove it, or set XDG_CACHE_HOME to a folder of your own`,
    );
}

function isIntact(folder: string): boolean {
  try {
    const files = JSON.parse(readFileSync(join(folder, markerName), 'utf8')) as Marker;
    return files.every(({ name, size }) => lstatSync(join(folder, name)).size === size);
  } catch {
    return false;
  }
}

function writeProgram({ home, hash, archive }: UnpackOptions, folder: string): void {
  const bytes = archive();
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new UnpackError('this file of Keepsake is damaged; download it again');
  const staging = join(home, `new-${randomBytes(8).toString('hex')}`);
  try {
    const files = readArchive(bytes);
    for (const parent of new Set(files.map(({ name }) => dirname(name))))
      mkdirSync(join(staging, parent), { recursive: true, mode: 0o700 });
    for (const { name, mode, bytes: content } of files)
      writeFileSync(join(staging, name), content, { mode, flush: true });
    const marker: Marker = files.map(({ name, bytes: content }) => ({ name, size: content.length }));
    writeFileSync(join(staging, markerName), JSON.stringify(marker), { mode: 0o600, flush: true });
    publish(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Gives the folder its name, unless another process was faster. An incomplete folder of that name is moved aside. */
function publish(staging: string, folder: string): void {
  for (let attempt = 1; ; attempt += 1)
    try {
      return renameSync(staging, folder);
    } catch (error) {
      if (lastUse(folder) !== null && isIntact(folder)) return;
      if (attempt === maxAttempts) throw error;
      moveAside(folder);
      // On Windows, a virus scanner may still have one of the new files open.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, attempt * 20);
    }
}

const maxAttempts = 10;

function moveAside(folder: string): string | null {
  const aside = join(dirname(folder), `old-${randomBytes(8).toString('hex')}`);
  try {
    renameSync(folder, aside);
    return aside;
  } catch {
    return null; // it does not exist, or on Windows one of its files is in use
  }
}

/** Removes programs that were not used for a month and unfinished folders. Failures only leave them for the next time. */
function removeUnused(home: string, current: string, now: () => number): void {
  for (const name of readdirSync(home)) {
    const folder = join(home, name);
    if (folder === current || !/^(?:[0-9a-f]{16}|(?:new|old)-[0-9a-f]{16})$/.test(name)) continue;
    try {
      const isProgram = !name.includes('-');
      const usedAt = (isProgram ? lastUse(folder) : null) ?? lstatSync(folder).mtimeMs;
      if (now() - usedAt < (isProgram ? keptMs : unfinishedMs)) continue;
      // Renamed first: on Windows this fails while a process uses it, so that no process loses a part of its program.
      const aside = name.startsWith('old-') ? folder : moveAside(folder);
      if (aside !== null) rmSync(aside, { recursive: true, force: true });
    } catch {
      // Another process removes it, too.
    }
  }
}
