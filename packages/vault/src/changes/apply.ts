import {
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import {
  childPath,
  enterChild,
  holdRoot,
  lstatChild,
  nameOf,
  parentPath,
  partsOf,
  readStart,
  showPath,
  spellingIn,
  systemCode,
  VaultError,
} from '../vault/index.ts';
import type { OpenFolder, VaultPath, VaultRoot } from '../vault/index.ts';
import { afterOf, beforeOf, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { moveToFree, spareOf, swap } from './file-primitives.ts';

/** What applying a change met. `changed`: somebody changed the file, which is as he left it. */
export type Applied = { kind: 'done' } | { kind: 'changed'; present: Buffer | null };

/** A file that was replaced: open, with what was in it, and how it gets another hidden name. */
type ReplacedFile = { fd: number; content: Buffer; moveTo: (name: string) => void };

/**
 * Takes a replaced file over, and closes it once it is done with. True when somebody writes into it: then it has moved to a name
 * of its own, so that the next change can use this one.
 */
export type Keep = (replaced: ReplacedFile) => boolean;

/**
 * Brings one file from `before` to `after`, or finds that it is there already. A reader sees either the old or the
 * new content, also after a power loss. A file that is neither is left alone. `check` runs right before the change. With
 * `isAppend`, a file that has become `after` counts as changed by another program: what it added is not ours.
 */
export function applyChange(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  check: () => void,
  keep: Keep = letGo,
  isAppend = false,
): Applied {
  const [name, before, after] = [nameOf(change.path), beforeOf(change), afterOf(change)];
  const folder = openFolder(root, parentPath(change.path), after !== null);
  if (folder === null) return after === null ? { kind: 'done' } : { kind: 'changed', present: null };
  try {
    const spelled = spellingIn(folder, name);
    const seen = lstatChild(folder, spelled);
    const old = openFile(folder, spelled, change.path);
    let isOver = old === null;
    try {
      const present = old === null ? null : readAll(old);
      if (!isAppend && isEqual(present, after)) return { kind: 'done' };
      if (!isEqual(present, before)) return { kind: 'changed', present };
      const aside = `${folder.base}/${temporary}`;
      const target = `${folder.base}/${spelled}`;
      if (after === null) check();
      else writeAside(aside, after, seen?.mode ?? change.mode, check);
      const isPut =
        old === null || present === null
          ? putNew(aside, target)
          : trade(folder, aside, target, after, () => isOpenAt(aside, old, present));
      if (!isPut) return { kind: 'changed', present: readChild(folder, spelled, change.path) };
      if (old === null || present === null) fsyncSync(folder.fd);
      else {
        const isKept = keep({ fd: old, content: present, moveTo: mover(folder, aside) });
        isOver = true;
        if (!isKept) unlinkSync(aside);
      }
      return { kind: 'done' };
    } finally {
      if (old !== null && !isOver) closeSync(old);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Clears up what a crash or a failing disk may have left of `applyChange`. When what was taken out of the file's place is
 * neither side of the change, a person saved it in that very moment: it goes back.
 */
export function clearUp(root: VaultRoot, change: FileChange, temporary: string, keep: Keep = letGo): void {
  const { path } = change;
  const [before, after] = [beforeOf(change), afterOf(change)];
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    const spelled = spellingIn(folder, nameOf(path));
    const [aside, target] = [`${folder.base}/${temporary}`, `${folder.base}/${spelled}`];
    const read = (name: string): Buffer | null => readChild(folder, name, path);
    const [left, spare] = [read(temporary), read(spareOf(temporary))];
    if (left === null && spare === null) return;
    if (spare !== null) clearSpare(aside, target, read(spelled), after);
    const content = read(temporary);
    const isSaved = !isEqual(content, before) && !isEqual(content, after);
    if (content !== null && isSaved && isEqual(read(spelled), after)) putBack(aside, target, after);
    else if (content !== null) clearReplaced(folder, temporary, path, keep);
    fsyncSync(folder.fd);
  } finally {
    closeSync(folder.fd);
  }
}

/** Where something lies that somebody saved while a change to its file failed; null when nothing does. */
export function savedAside(root: VaultRoot, change: FileChange, temporary: string): string | null {
  const folder = openFolder(root, parentPath(change.path), false);
  if (folder === null) return null;
  try {
    const found = [temporary, spareOf(temporary)].find((name) => {
      const bytes = readChild(folder, name, change.path);
      return bytes !== null && !isEqual(bytes, beforeOf(change)) && !isEqual(bytes, afterOf(change));
    });
    return found === undefined ? null : showPath(childPath(parentPath(change.path), found));
  } finally {
    closeSync(folder.fd);
  }
}

/** Looks into a file beside the one at a path, or into that one itself; null when it is not there. */
export function lookInto<Value>(
  root: VaultRoot,
  path: VaultPath,
  name: string,
  look: (fd: number) => Value,
): Value | null {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return null;
  try {
    const fd = openFile(folder, spellingIn(folder, name), path);
    if (fd === null) return null;
    try {
      return look(fd);
    } finally {
      closeSync(fd);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/** Removes what lies beside the file at a path under this name, if it does. */
export function removeBeside(root: VaultRoot, path: VaultPath, name: string): void {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    rmSync(`${folder.base}/${name}`, { force: true });
  } finally {
    closeSync(folder.fd);
  }
}

/** What nobody is going to write into goes. */
function clearReplaced(folder: OpenFolder, temporary: string, path: VaultPath, keep: Keep): void {
  const fd = openFile(folder, temporary, path);
  if (fd === null) return;
  const aside = `${folder.base}/${temporary}`;
  let isOver = false;
  try {
    const isKept = keep({ fd, content: readAll(fd), moveTo: mover(folder, aside) });
    isOver = true;
    if (!isKept) unlinkSync(aside);
  } finally {
    if (!isOver) closeSync(fd);
  }
}

function mover(folder: OpenFolder, aside: string): ReplacedFile['moveTo'] {
  return (name) => {
    renameSync(aside, `${folder.base}/${name}`);
    fsyncSync(folder.fd);
  };
}

function letGo({ fd }: ReplacedFile): boolean {
  closeSync(fd);
  return false;
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
  return lookInto(root, path, nameOf(path), readAll);
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

/** The new content beside the file, safely on disk and as private as the old one; not there when the check throws. */
function writeAside(aside: string, bytes: Buffer, mode: number | null, check: () => void): void {
  // Never over something: it could be what a crash left of a person's save.
  const fd = openSync(aside, 'wx', 0o666);
  try {
    if (mode !== null) fchmodSync(fd, mode & 0o777);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
    try {
      check();
    } catch (error) {
      // By now it may be the one of another process, which goes on with the change.
      if (lstatSync(aside, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino) unlinkSync(aside);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
}

function putNew(aside: string, target: string): boolean {
  const isPut = moveToFree(aside, target);
  if (!isPut) unlinkSync(aside);
  return isPut;
}

/**
 * Takes the file out of its place and puts the new one there, if there is one, in one step. Only then is what came out
 * looked at, so that no save can slip in between: if it is not what the change was made from, everything goes back.
 */
function trade(
  folder: OpenFolder,
  aside: string,
  target: string,
  after: Buffer | null,
  isExpected: () => boolean,
): boolean {
  try {
    if (after === null) renameSync(target, aside);
    else if (!swap(aside, target)) return false;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
    if (after !== null) unlinkSync(aside);
    return false;
  }
  const isFirst = isExpected();
  if (isFirst) fsyncSync(folder.fd);
  // Once more: an editor that has the old file open may have written into it meanwhile.
  if (isFirst && isExpected()) return true;
  putBack(aside, target, after);
  fsyncSync(folder.fd);
  return false;
}

/** Undoes a trade. Where somebody saved again meanwhile, that newer file is the one that stays. */
function putBack(aside: string, target: string, after: Buffer | null): void {
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
    putNew(aside, target);
    return;
  }
  if (after !== null && swap(aside, target) && !readFileSync(aside).equals(after)) swap(aside, target);
  rmSync(aside, { force: true });
}

/** A crash came while files were swapped in several steps. */
function clearSpare(aside: string, target: string, present: Buffer | null, after: Buffer | null): void {
  const spare = spareOf(aside);
  if (present === null) moveToFree(spare, target);
  else if (isEqual(present, after)) renameSync(spare, aside);
  else unlinkSync(spare);
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
