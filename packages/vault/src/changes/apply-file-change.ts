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
  fsyncFolder,
  openChild,
  openRootFolder,
  lstatChild,
  baseName,
  parentPath,
  pathSegments,
  readPrefixSync,
  formatPath,
  resolveDiskName,
  retryWhileBusy,
  errorCode,
  VaultError,
} from '../vault/index.ts';
import type { OpenFolder, VaultPath, VaultRoot } from '../vault/index.ts';
import { contentAfter, contentBefore, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import { renameNoReplace, backupPath, exchangeFiles } from './atomic-files.ts';

/** Result of applying a change. `conflict`: another program changed the file first; its content was left untouched. */
export type ApplyResult = { kind: 'applied' } | { kind: 'conflict'; current: Buffer | null };

/** A file that was replaced: its open descriptor, its content, and a function that renames it to another hidden name. */
type ReplacedFile = { fd: number; content: Buffer; moveTo: (name: string) => void };

/**
 * Takes ownership of the descriptor of a replaced file and closes it when it is no longer needed. Returns true when
 * another program is still writing to the file: the file was then renamed, so that the next change can use its name.
 */
export type RetainReplaced = (replaced: ReplacedFile) => boolean;

/**
 * Changes one file from `before` to `after`; does nothing when the file already equals `after`. A reader sees either
 * the old or the new content, even after a power loss. A file that equals neither is left untouched. `check` runs right
 * before the change. With `isAppend`, a file that already equals `after` counts as changed by another program, which
 * may have appended the same text.
 */
export function applyChange(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  check: () => void,
  retain: RetainReplaced = closeReplaced,
  isAppend = false,
): ApplyResult {
  const [name, before, after] = [baseName(change.path), contentBefore(change), contentAfter(change)];
  const folder = openFolder(root, parentPath(change.path), after !== null);
  if (folder === null) return after === null ? { kind: 'applied' } : { kind: 'conflict', current: null };
  try {
    const diskName = resolveDiskName(folder, name);
    const stats = lstatChild(folder, diskName);
    const old = openFile(folder, diskName, change.path);
    let isReleased = old === null;
    try {
      const current = old === null ? null : readFd(old);
      if (!isAppend && contentEquals(current, after)) return { kind: 'applied' };
      if (!contentEquals(current, before)) return { kind: 'conflict', current };
      const temporaryPath = `${folder.base}/${temporary}`;
      const target = `${folder.base}/${diskName}`;
      if (after === null) check();
      else writeTemporary(temporaryPath, after, stats?.mode ?? change.mode, check);
      const isPlaced =
        old === null || current === null
          ? moveIntoPlace(temporaryPath, target)
          : exchangeIfUnchanged(folder, temporaryPath, target, after, () =>
              isUnmodifiedAt(temporaryPath, old, current),
            );
      if (!isPlaced) return { kind: 'conflict', current: readChild(folder, diskName, change.path) };
      if (old === null || current === null) fsyncFolder(folder);
      else {
        const isRetained = retain({ fd: old, content: current, moveTo: createRename(folder, temporaryPath) });
        isReleased = true;
        if (!isRetained) retryWhileBusy(() => unlinkSync(temporaryPath));
      }
      return { kind: 'applied' };
    } finally {
      if (old !== null && !isReleased) closeSync(old);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Removes the temporary files that a crash or a failing disk may have left after `applyChange`. If the replaced file equals
 * neither side of the change, another program saved it at that moment, and it is moved back into place.
 */
export function removeTemporary(
  root: VaultRoot,
  change: FileChange,
  temporary: string,
  retain: RetainReplaced = closeReplaced,
): void {
  const { path } = change;
  const [before, after] = [contentBefore(change), contentAfter(change)];
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    const diskName = resolveDiskName(folder, baseName(path));
    const [temporaryPath, target] = [`${folder.base}/${temporary}`, `${folder.base}/${diskName}`];
    const read = (name: string): Buffer | null => readChild(folder, name, path);
    const [leftover, backup] = [read(temporary), read(backupPath(temporary))];
    if (leftover === null && backup === null) return;
    if (backup !== null) recoverBackup(temporaryPath, target, read(diskName), after);
    const content = read(temporary);
    const isSaved = !contentEquals(content, before) && !contentEquals(content, after);
    if (content !== null && isSaved && contentEquals(read(diskName), after))
      revertExchange(temporaryPath, target, after);
    else if (content !== null) clearReplaced(folder, temporary, path, retain);
    fsyncFolder(folder);
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Returns the path of the temporary file with the content that another program saved while a change failed; null when
 * there is none.
 */
export function findConcurrentSave(root: VaultRoot, change: FileChange, temporary: string): string | null {
  const folder = openFolder(root, parentPath(change.path), false);
  if (folder === null) return null;
  try {
    const found = [temporary, backupPath(temporary)].find((name) => {
      const bytes = readChild(folder, name, change.path);
      return (
        bytes !== null &&
        !contentEquals(bytes, contentBefore(change)) &&
        !contentEquals(bytes, contentAfter(change))
      );
    });
    return found === undefined ? null : formatPath(childPath(parentPath(change.path), found));
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Opens the file with this name in the folder of `path` and calls `use` with its descriptor; null when it does not exist.
 */
export function withOpenFile<Value>(
  root: VaultRoot,
  path: VaultPath,
  name: string,
  use: (fd: number) => Value,
): Value | null {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return null;
  try {
    const fd = openFile(folder, resolveDiskName(folder, name), path);
    if (fd === null) return null;
    try {
      return use(fd);
    } finally {
      closeSync(fd);
    }
  } finally {
    closeSync(folder.fd);
  }
}

/** Removes the file with this name from the folder of `path`, if it exists. */
export function removeSibling(root: VaultRoot, path: VaultPath, name: string): void {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return;
  try {
    rmSync(`${folder.base}/${name}`, { force: true });
  } finally {
    closeSync(folder.fd);
  }
}

/** Removes a replaced file unless another program may still write to it. */
function clearReplaced(folder: OpenFolder, temporary: string, path: VaultPath, retain: RetainReplaced): void {
  const fd = openFile(folder, temporary, path);
  if (fd === null) return;
  const temporaryPath = `${folder.base}/${temporary}`;
  let isReleased = false;
  try {
    const isRetained = retain({ fd, content: readFd(fd), moveTo: createRename(folder, temporaryPath) });
    isReleased = true;
    if (!isRetained) retryWhileBusy(() => unlinkSync(temporaryPath));
  } finally {
    if (!isReleased) closeSync(fd);
  }
}

function createRename(folder: OpenFolder, temporaryPath: string): ReplacedFile['moveTo'] {
  return (name) => {
    renameSync(temporaryPath, `${folder.base}/${name}`);
    fsyncFolder(folder);
  };
}

function closeReplaced({ fd }: ReplacedFile): boolean {
  closeSync(fd);
  return false;
}

/** Removes a folder if it is empty; a folder with hidden files is kept. */
export function removeEmptyFolder(root: VaultRoot, path: VaultPath): void {
  const parent = openFolder(root, parentPath(path), false);
  if (parent === null) return;
  try {
    rmdirSync(`${parent.base}/${resolveDiskName(parent, baseName(path))}`);
    fsyncFolder(parent);
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error;
  } finally {
    closeSync(parent.fd);
  }
}

export function folderExists(root: VaultRoot, path: VaultPath): boolean {
  const folder = openFolder(root, path, false);
  if (folder !== null) closeSync(folder.fd);
  return folder !== null;
}

/** All bytes of a file; null when there is none. */
export function readBytes(root: VaultRoot, path: VaultPath): Buffer | null {
  return withOpenFile(root, path, baseName(path), readFd);
}

/** The permissions of a file; null when there is none. */
export function readMode(root: VaultRoot, path: VaultPath): number | null {
  const folder = openFolder(root, parentPath(path), false);
  if (folder === null) return null;
  try {
    const stats = lstatChild(folder, resolveDiskName(folder, baseName(path)));
    return stats === undefined ? null : stats.mode & 0o777;
  } finally {
    closeSync(folder.fd);
  }
}

/**
 * Writes and syncs the new content next to the file, with the permissions of the old one. Removes it again when `check`
 * throws.
 */
function writeTemporary(temporaryPath: string, bytes: Buffer, mode: number | null, check: () => void): void {
  // Never overwrites: an existing file may contain the user's changes, left behind by a crash.
  const fd = openSync(temporaryPath, 'wx', 0o666);
  try {
    if (mode !== null) fchmodSync(fd, mode & 0o777);
    for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
    fsyncSync(fd);
    try {
      check();
    } catch (error) {
      // By now the file may belong to another process, which continues the change.
      const named = lstatSync(temporaryPath, { throwIfNoEntry: false, bigint: true });
      if (named?.ino === inodeOf(fd)) unlinkSync(temporaryPath);
      throw error;
    }
  } finally {
    closeSync(fd);
  }
}

function moveIntoPlace(temporaryPath: string, target: string): boolean {
  const isPlaced = renameNoReplace(temporaryPath, target);
  if (!isPlaced) unlinkSync(temporaryPath);
  return isPlaced;
}

/**
 * Exchanges the two files atomically and only then compares the old content, so that no save can slip in between. If the
 * old content is not the expected one, the exchange is reverted.
 */
function exchangeIfUnchanged(
  folder: OpenFolder,
  temporaryPath: string,
  target: string,
  after: Buffer | null,
  isExpected: () => boolean,
): boolean {
  try {
    if (after === null) retryWhileBusy(() => renameSync(target, temporaryPath));
    else if (!exchangeFiles(temporaryPath, target)) return false;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    if (after !== null) unlinkSync(temporaryPath);
    return false;
  }
  const isFirst = isExpected();
  if (isFirst) fsyncFolder(folder);
  // Check again: an editor that has the old file open may have written to it in the meantime.
  if (isFirst && isExpected()) return true;
  revertExchange(temporaryPath, target, after);
  fsyncFolder(folder);
  return false;
}

/** Reverts an exchange. If another program has saved the file again in the meantime, the newer file wins. */
function revertExchange(temporaryPath: string, target: string, after: Buffer | null): void {
  if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
    moveIntoPlace(temporaryPath, target);
    return;
  }
  if (after !== null && exchangeFiles(temporaryPath, target) && !readFileSync(temporaryPath).equals(after))
    exchangeFiles(temporaryPath, target);
  rmSync(temporaryPath, { force: true });
}

/** Recovers from a crash during an exchange that was not atomic. */
function recoverBackup(
  temporaryPath: string,
  target: string,
  current: Buffer | null,
  after: Buffer | null,
): void {
  const backup = backupPath(temporaryPath);
  if (current === null) renameNoReplace(backup, target);
  else if (contentEquals(current, after)) renameSync(backup, temporaryPath);
  else unlinkSync(backup);
}

/** Whether the path still names the open file, and its content is unchanged. */
function isUnmodifiedAt(temporaryPath: string, fd: number, content: Buffer | null): boolean {
  const named = lstatSync(temporaryPath, { bigint: true });
  return named.ino === inodeOf(fd) && contentEquals(readFd(fd), content);
}

/** Inodes of Windows use all 64 bits: two that differ can be equal as numbers. */
function inodeOf(fd: number): bigint {
  return fstatSync(fd, { bigint: true }).ino;
}

/** Opens the folder at a path, creating it and its parents when `create` is set; null when it does not exist. */
function openFolder(root: VaultRoot, path: VaultPath, create: boolean): OpenFolder | null {
  let folder = openRootFolder(root);
  for (const part of pathSegments(path)) {
    const diskName = resolveDiskName(folder, part);
    let next = openChild(folder, diskName);
    if (next.kind === 'missing' && create) next = createFolder(folder, diskName);
    closeSync(folder.fd);
    if (next.kind === 'file') closeSync(next.fd);
    if (next.kind === 'refused') throw new VaultError('io', `cannot write to ${path}: ${next.reason}`);
    if (next.kind !== 'folder') return null;
    folder = next;
  }
  return folder;
}

/** Leaves no folder that cannot be opened: a rollback could not open it either, and the change would never end. */
function createFolder(parent: OpenFolder, diskName: string): ReturnType<typeof openChild> {
  mkdirSync(`${parent.base}/${diskName}`);
  fsyncFolder(parent);
  const created = openChild(parent, diskName);
  if (created.kind === 'refused') rmdirSync(`${parent.base}/${diskName}`);
  return created;
}

function readChild(folder: OpenFolder, diskName: string, path: VaultPath): Buffer | null {
  const fd = openFile(folder, diskName, path);
  if (fd === null) return null;
  try {
    return readFd(fd);
  } finally {
    closeSync(fd);
  }
}

/** The descriptor of an existing file; null when there is none. */
function openFile(folder: OpenFolder, diskName: string, path: VaultPath): number | null {
  const found = openChild(folder, diskName);
  if (found.kind === 'missing') return null;
  if (found.kind === 'file') return found.fd;
  if (found.kind === 'folder') closeSync(found.fd);
  const reason = found.kind === 'refused' ? found.reason : 'it is a folder';
  throw new VaultError('io', `cannot change ${path}: ${reason}`);
}

export function readFd(fd: number): Buffer {
  return readPrefixSync(fd, fstatSync(fd).size);
}
