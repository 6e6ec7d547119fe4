import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../vault/index.ts';
import { AppError } from './error.ts';
import { createMadeFiles } from './made-files.ts';
import type { MadeFiles } from './made-files.ts';

/**
 * Copies all of a folder; called again, it copies what became another since, and removes what is gone, but never what another
 * program put there: it throws when that has the name of a file to be copied. Gives the paths of what
 * changed too often to be copied as it was at any moment: of those, the copy is half of one and half of another, or missing.
 */
export type Mirror = (options?: { check?: () => void }) => string[];

/** Times are coarse: what changed this shortly before it was copied may have changed again, unseen. */
const coarse = 2_000;
const mostAttempts = 5;

/**
 * `isPrivate`: the copy is for its owner alone, whatever the original and the umask say. Else permissions are those of the
 * original. What is neither file, folder nor link stays out. `made` gets everything that is made.
 */
export function createMirror(
  source: string,
  target: string,
  { isPrivate = false, made = createMadeFiles() }: { isPrivate?: boolean; made?: MadeFiles } = {},
): Mirror {
  const seen = new Map<string, string>();
  const mirror = (from: string, to: string, check: () => void): string[] => {
    check();
    const look = signatureOf(from);
    if (look === null) {
      seen.delete(from);
      made.remove(to);
      return [];
    }
    if (look.kind === 'folder') {
      seen.delete(from);
      // A folder stays: the topmost may be a mount. What was copied and is not in the original any more is removed below.
      if (signatureOf(to)?.kind !== 'folder') {
        made.remove(to);
        mkdirSync(to, { recursive: true });
        made.noteFolder(to);
      }
      chmodSync(to, 0o700);
      const names = namesIn(from);
      if (names === null) return [from];
      const torn = [...new Set([...names, ...readdirSync(to)])].flatMap((name) =>
        mirror(join(from, name), join(to, name), check),
      );
      chmodSync(to, isPrivate ? 0o700 : look.mode);
      return torn;
    }
    return seen.get(from) === look.signature || copy(from, to, check) ? [] : [from];
  };
  /** Whether the copy is what was there at one moment. */
  const copy = (from: string, to: string, check: () => void): boolean => {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const before = signatureOf(from);
      made.remove(to);
      if (before === null) return true;
      if (before.kind === 'folder') return false;
      try {
        if (before.kind === 'link') {
          symlinkSync(readlinkSync(from), to);
          made.noteFile(to);
        } else copyBytes(from, to, { mode: isPrivate ? 0o600 : before.mode, check, made });
      } catch (error) {
        if (systemCode(error) === 'EEXIST')
          throw new AppError('bad-target', `another program put ${to} there while it was to be copied`, {
            mend: 'end what writes into that folder, or name another one, and run it again',
            cause: error,
          });
        if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ELOOP') continue; // another in this moment
        throw error;
      }
      // A file that somebody saves in this moment would be half of one and half of the other.
      if (signatureOf(from)?.signature !== before.signature) continue;
      if (before.kind === 'file') {
        utimesSync(to, before.modified, before.modified);
        made.noteFile(to);
      }
      if (Date.now() - before.changedAt > coarse) seen.set(from, before.signature);
      return true;
    }
    return false;
  };
  return ({ check = () => undefined } = {}) => mirror(source, target, check);
}

/** Null for a folder that was removed or replaced in this moment. */
function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

type Look = {
  kind: 'file' | 'folder' | 'link';
  mode: number;
  modified: Date;
  changedAt: number;
  signature: string;
};

/** By what a change is noticed; null for what is not there, or is nothing to copy. */
function signatureOf(path: string): Look | null {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return null;
  const kind = stats.isFile()
    ? 'file'
    : stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? 'link'
        : null;
  if (kind === null) return null;
  return {
    kind,
    mode: Number(stats.mode) & 0o777,
    modified: stats.mtime,
    changedAt: Math.max(Number(stats.ctimeMs), Number(stats.mtimeMs)),
    signature: [kind, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' '),
  };
}

/** One for all: copying waits for nobody, and most files are far smaller. */
const chunk = Buffer.allocUnsafeSlow(1024 * 1024);

function copyBytes(
  from: string,
  to: string,
  { mode, check, made }: { mode: number; check: () => void; made: MadeFiles },
): void {
  // The file that was looked at, not one that a link in its place leads to.
  const source = openSync(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      for (let length = readSync(source, chunk); length > 0; length = readSync(source, chunk)) {
        check();
        for (let written = 0; written < length;)
          written += writeSync(target, chunk, written, length - written);
      }
    } finally {
      closeSync(target);
      made.noteFile(to);
    }
  } finally {
    closeSync(source);
  }
  chmodSync(to, mode);
}
