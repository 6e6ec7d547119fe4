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
import type { Stats } from 'node:fs';
import { readStart } from './byte-source.ts';
import { systemCode, VaultError } from './error.ts';
import { enterChild, holdRoot, lstatChild, spellingIn } from './jail.ts';
import type { OpenFolder, VaultRoot } from './jail.ts';
import type { FileChange } from './journal.ts';
import { nameOf, parentPath, partsOf } from './path.ts';
import type { VaultPath } from './path.ts';

/**
 * What applying a change met. `changed`: somebody changed the file, nothing was done. `overtaken`: it was done, but an
 * editor that had the old file open wrote these bytes into it, where nobody would see them any more.
 */
export type Applied = { kind: 'done' } | { kind: 'changed' | 'overtaken'; present: Buffer | null };

/**
 * Brings one file from `before` to `after`, or finds that it is there already. A reader sees either the old or the
 * new content, also after a power loss. A file that is neither is left alone. `check` runs right before the change.
 */
export function applyChange(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  check: () => void,
): Applied {
  const name = nameOf(change.path);
  const folder = openFolder(root, parentPath(change.path), change.after !== null);
  if (folder === null) return change.after === null ? { kind: 'done' } : { kind: 'changed', present: null };
  try {
    const spelled = spellingIn(folder, name);
    const seen = lstatChild(folder, spelled);
    const old = openFile(folder, spelled, change.path);
    try {
      const present = old === null ? null : readAll(old);
      if (isEqual(present, change.after)) return { kind: 'done' };
      if (!isEqual(present, change.before)) return { kind: 'changed', present };
      const aside = change.after === null ? null : writeAside(folder, temporary, change.after, seen?.mode);
      check();
      if (!put(aside, `${folder.base}/${spelled}`, seen)) {
        if (aside !== null) unlinkSync(aside);
        return { kind: 'changed', present: readChild(folder, spelled, change.path) };
      }
      fsyncSync(folder.fd);
      const after = old === null ? null : readAll(old);
      return isEqual(after, present) ? { kind: 'done' } : { kind: 'overtaken', present: after };
    } finally {
      if (old !== null) closeSync(old);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/** Removes what a crash may have left of `applyChange`. */
export function removeTemporary(root: VaultRoot, path: VaultPath, temporary: string): void {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    unlinkSync(`${folder.base}/${temporary}`);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
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

export function isEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** The new content beside the file, safely on disk and as private as the old one; gives the path of it. */
function writeAside(folder: OpenFolder, temporary: string, bytes: Buffer, mode: number | undefined): string {
  const aside = `${folder.base}/${temporary}`;
  const fd = openSync(aside, 'w', 0o666);
  try {
    if (mode !== undefined) fchmodSync(fd, mode & 0o777);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return aside;
}

/**
 * Makes the change, unless the file is no longer as `seen`: syncing took its time, and somebody may have saved. Between
 * that look and the change is nothing but the two system calls. Nothing aside means that the file goes.
 */
function put(aside: string | null, target: string, seen: Stats | undefined): boolean {
  if (seen === undefined && aside !== null) return putNew(aside, target);
  if (!isSame(seen, lstatSync(target, { throwIfNoEntry: false }))) return false;
  if (aside === null) unlinkSync(target);
  else renameSync(aside, target);
  return true;
}

/** A link never replaces what is there. */
function putNew(aside: string, target: string): boolean {
  try {
    linkSync(aside, target);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  unlinkSync(aside);
  return true;
}

function isSame(a: Stats | undefined, b: Stats | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
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

function readAll(fd: number): Buffer {
  return readStart(fd, fstatSync(fd).size);
}
