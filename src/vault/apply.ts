import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { systemCode, VaultError } from './error.ts';
import { enterChild, holdRoot, spellingIn } from './jail.ts';
import type { OpenFolder, VaultRoot } from './jail.ts';
import type { FileChange } from './journal.ts';
import { nameOf, parentPath, partsOf } from './path.ts';
import type { VaultPath } from './path.ts';

/** What applying a change met: the file is as wanted, or somebody changed it, with its present bytes. */
export type Applied = { kind: 'done' } | { kind: 'changed'; present: Buffer | null };

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
    const present = readChild(folder, spelled, change.path);
    if (isEqual(present, change.after)) return { kind: 'done' };
    if (!isEqual(present, change.before)) return { kind: 'changed', present };
    if (change.after === null) {
      check();
      unlinkSync(`${folder.base}/${spelled}`);
    } else if (
      !replace(folder, { spelled, temporary, bytes: change.after, isNew: change.before === null, check })
    ) {
      return { kind: 'changed', present: readChild(folder, spelled, change.path) };
    }
    fsyncSync(folder.fd);
    return { kind: 'done' };
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

type Replacement = { spelled: string; temporary: string; bytes: Buffer; isNew: boolean; check: () => void };

/** False when a file that should be new is there already. */
function replace(folder: OpenFolder, { spelled, temporary, bytes, isNew, check }: Replacement): boolean {
  const [target, aside] = [`${folder.base}/${spelled}`, `${folder.base}/${temporary}`];
  const fd = openSync(aside, 'w', 0o666);
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  check();
  if (!isNew) {
    renameSync(aside, target);
    return true;
  }
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
  const found = enterChild(folder, spelled);
  if (found.kind === 'missing') return null;
  if (found.kind === 'refused') throw new VaultError('io', `cannot change ${path}: ${found.reason}`);
  try {
    if (found.kind === 'folder') throw new VaultError('io', `cannot change ${path}: it is a folder`);
    return readFileSync(found.fd);
  } finally {
    closeSync(found.fd);
  }
}
