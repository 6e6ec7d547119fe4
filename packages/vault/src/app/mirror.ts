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
import { errorCode } from '../vault/index.ts';
import { AppError } from './error.ts';
import { trackCreatedFiles } from './created-files.ts';
import type { CreatedFiles } from './created-files.ts';

/**
 * Copies a folder. Each further call copies what has changed since and removes what is gone, but never a file that another program
 * created in the target; it throws when such a file has the name of a file to copy. Returns the paths that changed during every
 * attempt to copy them: their copies are inconsistent or missing.
 */
export type Mirror = (options?: { check?: () => void }) => string[];

/** Timestamps are coarse: a file that changed less than this before the copy may have changed again unnoticed. In milliseconds. */
const mtimeGranularityMs = 2_000;
const maxCopyAttempts = 5;

/**
 * `isPrivate` makes the copy accessible only to its owner; otherwise permissions are those of the original. Anything that is not a
 * file, folder or link is skipped. Everything that is created is recorded in `made`.
 */
export function createMirror(
  source: string,
  target: string,
  { isPrivate = false, made = trackCreatedFiles() }: { isPrivate?: boolean; made?: CreatedFiles } = {},
): Mirror {
  const copiedSignatures = new Map<string, string>();
  const mirror = (from: string, to: string, check: () => void): string[] => {
    check();
    const stat = statEntry(from);
    if (stat === null) {
      copiedSignatures.delete(from);
      made.remove(to);
      return [];
    }
    if (stat.kind === 'folder') {
      copiedSignatures.delete(from);
      // An existing folder is kept: the topmost may be a mount point. Stale copies in it are removed by the recursion below.
      if (statEntry(to)?.kind !== 'folder') {
        made.remove(to);
        mkdirSync(to, { recursive: true });
        made.recordFolder(to);
      }
      chmodSync(to, 0o700);
      const names = tryReadNames(from);
      if (names === null) return [from];
      const torn = [...new Set([...names, ...readdirSync(to)])].flatMap((name) =>
        mirror(join(from, name), join(to, name), check),
      );
      chmodSync(to, isPrivate ? 0o700 : stat.mode);
      return torn;
    }
    return copiedSignatures.get(from) === stat.signature || copy(from, to, check) ? [] : [from];
  };
  /** Returns whether the copy is consistent. */
  const copy = (from: string, to: string, check: () => void): boolean => {
    for (let attempt = 1; attempt <= maxCopyAttempts; attempt += 1) {
      const before = statEntry(from);
      made.remove(to);
      if (before === null) return true;
      if (before.kind === 'folder') return false;
      try {
        if (before.kind === 'link') {
          symlinkSync(readlinkSync(from), to);
          made.recordFile(to);
        } else copyBytes(from, to, { mode: isPrivate ? 0o600 : before.mode, check, made });
      } catch (error) {
        if (errorCode(error) === 'EEXIST')
          throw new AppError('bad-target', `another program created ${to} during the copy`, {
            hint: 'stop the program that writes to that folder, or choose another folder, and try again',
            cause: error,
          });
        if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ELOOP') continue; // replaced or removed during the copy
        throw error;
      }
      // A file that was saved during the copy would be a mix of both versions.
      if (statEntry(from)?.signature !== before.signature) continue;
      if (before.kind === 'file') {
        utimesSync(to, before.modified, before.modified);
        made.recordFile(to);
      }
      if (Date.now() - before.changedAt > mtimeGranularityMs) copiedSignatures.set(from, before.signature);
      return true;
    }
    return false;
  };
  return ({ check = () => undefined } = {}) => mirror(source, target, check);
}

/** Null for a folder that was removed or replaced in the meantime. */
function tryReadNames(folder: string): string[] | null {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

type FileStat = {
  kind: 'file' | 'folder' | 'link';
  mode: number;
  modified: Date;
  changedAt: number;
  signature: string;
};

/** The attributes that reveal a change; null when the path is missing or is not a file, folder or link. */
function statEntry(path: string): FileStat | null {
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

/** Shared by all copies, which is safe because copying is synchronous. */
const copyBuffer = Buffer.allocUnsafeSlow(1024 * 1024);

function copyBytes(
  from: string,
  to: string,
  { mode, check, made }: { mode: number; check: () => void; made: CreatedFiles },
): void {
  // O_NOFOLLOW: the file may have been replaced by a link since it was inspected.
  const source = openSync(from, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const target = openSync(to, 'wx', 0o600);
    try {
      for (let length = readSync(source, copyBuffer); length > 0; length = readSync(source, copyBuffer)) {
        check();
        for (let written = 0; written < length;)
          written += writeSync(target, copyBuffer, written, length - written);
      }
    } finally {
      closeSync(target);
      made.recordFile(to);
    }
  } finally {
    closeSync(source);
  }
  chmodSync(to, mode);
}
