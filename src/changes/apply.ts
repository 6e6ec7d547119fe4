import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import {
  enterChild,
  holdRoot,
  lstatChild,
  nameOf,
  parentPath,
  partsOf,
  readStart,
  spellingIn,
  systemCode,
  VaultError,
} from '../vault/index.ts';
import type { OpenFolder, VaultPath, VaultRoot } from '../vault/index.ts';
import { afterOf, beforeOf, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { exchange } from './exchange.ts';

/**
 * What applying a change met. `changed`: somebody changed the file, nothing was done. `overtaken`: it was done, but an
 * editor that had the old file open wrote these bytes into it, where nobody would see them any more.
 */
export type Applied = { kind: 'done' } | { kind: 'changed' | 'overtaken'; present: Buffer | null };

/**
 * Brings one file from `before` to `after`, or finds that it is there already. A reader sees either the old or the
 * new content, also after a power loss. A file that is neither is left alone. `check` runs right before the change.
 * `keep` gets the replaced file, still open, and closes it: an editor may have it open as well, and not be done.
 */
export function applyChange(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  check: () => void,
  keep: (fd: number, content: Buffer) => void = closeSync,
): Applied {
  const [name, before, after] = [nameOf(change.path), beforeOf(change), afterOf(change)];
  const folder = openFolder(root, parentPath(change.path), after !== null);
  if (folder === null) return after === null ? { kind: 'done' } : { kind: 'changed', present: null };
  try {
    const spelled = spellingIn(folder, name);
    const seen = lstatChild(folder, spelled);
    let old = openFile(folder, spelled, change.path);
    try {
      const present = old === null ? null : readAll(old);
      if (isEqual(present, after)) return { kind: 'done' };
      if (!isEqual(present, before)) return { kind: 'changed', present };
      const aside = `${folder.base}/${temporary}`;
      const target = `${folder.base}/${spelled}`;
      if (after !== null) writeAside(aside, after, seen?.mode ?? change.mode);
      check();
      const isPut =
        old === null
          ? putNew(aside, target)
          : trade(aside, target, after !== null, () => isOpenAt(aside, old as number, present));
      if (!isPut) return { kind: 'changed', present: readChild(folder, spelled, change.path) };
      fsyncSync(folder.fd);
      if (old === null || present === null) return { kind: 'done' };
      const late = readAll(old);
      if (!isEqual(late, present)) return { kind: 'overtaken', present: late };
      keep(old, present);
      old = null;
      return { kind: 'done' };
    } finally {
      if (old !== null) closeSync(old);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Clears up what a crash may have left of `applyChange`. When what was taken out of the file's place is neither side of
 * the change, a person saved it in that very moment: it goes back.
 */
export function clearUp(root: VaultRoot, change: FileChange, temporary: string): void {
  const { path } = change;
  const [before, after] = [beforeOf(change), afterOf(change)];
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    const left = readChild(folder, temporary, path);
    if (left === null) return;
    const [aside, spelled] = [`${folder.base}/${temporary}`, spellingIn(folder, nameOf(path))];
    const isInPlace = isEqual(readChild(folder, spelled, path), after);
    if (isInPlace && !isEqual(left, before) && !isEqual(left, after))
      putBack(aside, `${folder.base}/${spelled}`, after !== null);
    else unlinkSync(aside);
    fsyncSync(folder.fd);
  } finally {
    closeSync(folder.fd);
  }
}

/** Removes a folder if it is empty; hidden files keep it. */
export function removeFolder(root: VaultRoot, path: VaultPath): void {
  const parent = openFolder(root, parentPath(path), false);
  if (parent === null) return;
  try {
    rmdirSync(`${parent.base}/${spellingIn(parent, nameOf(path))}`);
    fsyncSync(parent.fd);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    closeSync(parent.fd);
  }
}

export function hasFolder(root: VaultRoot, path: VaultPath): boolean {
  const folder = openFolder(root, path, false);
  if (folder !== null) closeSync(folder.fd);
  return folder !== null;
}

/** All bytes of a file; null when there is none. */
export function readBytes(root: VaultRoot, path: VaultPath): Buffer | null {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return null;
  try {
    return readChild(folder, spellingIn(folder, nameOf(path)), path);
  } finally {
    closeSync(folder.fd);
  }
}

/** The permissions of a file; null when there is none. */
export function modeOf(root: VaultRoot, path: VaultPath): number | null {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return null;
  try {
    const stats = lstatChild(folder, spellingIn(folder, nameOf(path)));
    return stats === undefined ? null : stats.mode & 0o777;
  } finally {
    closeSync(folder.fd);
  }
}

/** The new content beside the file, safely on disk and as private as the old one. */
function writeAside(aside: string, bytes: Buffer, mode: number | null): void {
  // Never over something: it could be what a crash left of a person's save.
  const fd = openSync(aside, 'wx', 0o666);
  try {
    if (mode !== null) fchmodSync(fd, mode & 0o777);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** A link never replaces what is there. */
function putNew(aside: string, target: string): boolean {
  try {
    linkSync(aside, target);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(aside);
  }
}

/**
 * Takes the file out of its place and puts the new one there, if there is one, in one step. Only then is what came out
 * looked at, so that no save can slip in between: if it is not what the change was made from, everything goes back.
 */
function trade(aside: string, target: string, hasNew: boolean, isExpected: () => boolean): boolean {
  try {
    if (hasNew) exchange(aside, target);
    else renameSync(target, aside);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    if (hasNew) unlinkSync(aside);
    return false;
  }
  if (isExpected()) {
    unlinkSync(aside);
    return true;
  }
  putBack(aside, target, hasNew);
  return false;
}

/** Undoes a trade. Where somebody saved again meanwhile, that newer file is the one that stays. */
function putBack(aside: string, target: string, hasNew: boolean): void {
  if (!hasNew) {
    putNew(aside, target);
    return;
  }
  const { ino } = lstatSync(target);
  exchange(aside, target);
  if (lstatSync(aside).ino !== ino) exchange(aside, target);
  unlinkSync(aside);
}

/** Whether a name stands for the file that is open, still with this content. */
function isOpenAt(aside: string, fd: number, content: Buffer | null): boolean {
  return lstatSync(aside).ino === fstatSync(fd).ino && isEqual(readAll(fd), content);
}

/** The folder at a path, made with its parents when asked; null when it is not there. */
function openFolder(root: VaultRoot, path: VaultPath, make: boolean): OpenFolder | null {
  let folder = holdRoot(root);
  for (const part of partsOf(path)) {
    const spelled = spellingIn(folder, part);
    let next = enterChild(folder, spelled);
    if (next.kind === 'missing' && make) {
      mkdirSync(`${folder.base}/${spelled}`);
      fsyncSync(folder.fd);
      next = enterChild(folder, spelled);
    }
    closeSync(folder.fd);
    if (next.kind === 'file') closeSync(next.fd);
    if (next.kind === 'refused') throw new VaultError('io', `cannot write below ${path}: ${next.reason}`);
    if (next.kind !== 'folder') return null;
    folder = next;
  }
  return folder;
}

function readChild(folder: OpenFolder, spelled: string, path: VaultPath): Buffer | null {
  const fd = openFile(folder, spelled, path);
  if (fd === null) return null;
  try {
    return readAll(fd);
  } finally {
    closeSync(fd);
  }
}

/** The descriptor of an existing file; null when there is none. */
function openFile(folder: OpenFolder, spelled: string, path: VaultPath): number | null {
  const found = enterChild(folder, spelled);
  if (found.kind === 'missing') return null;
  if (found.kind === 'file') return found.fd;
  if (found.kind === 'folder') closeSync(found.fd);
  const reason = found.kind === 'refused' ? found.reason : 'it is a folder';
  throw new VaultError('io', `cannot change ${path}: ${reason}`);
}

export function readAll(fd: number): Buffer {
  return readStart(fd, fstatSync(fd).size);
}
