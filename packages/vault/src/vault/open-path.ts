import { isAscii } from 'node:buffer';
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { ignoresCase, spellingOnDisk } from './case-on-disk.ts';
import { errorCode, VaultError } from './vault-error.ts';
import { pathSegments } from './path.ts';
import type { VaultPath } from './path.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { finalPathOf, locationProblem, windowsNameProblem } from './windows-paths.ts';

declare const brand: unique symbol;

/** The real path of an existing vault folder. */
export type VaultRoot = string & { readonly [brand]: 'VaultRoot' };

/** The entry at a path. The caller has to close the `fd` of a file or folder. */
export type OpenResult = OpenFile | OpenFolder | { kind: 'missing' } | Refused;
/** `isBusy`: another program holds it exclusively, for now. */
type Refused = { kind: 'refused'; reason: string; isBusy?: true };
export type OpenFile = { kind: 'file'; fd: number; stats: Stats };

/**
 * An open folder. On Linux, children are reached through `base`, which keeps referring to this folder even if its path is
 * replaced. On Windows, every child that is opened has to be below `finalPath`.
 */
export type OpenFolder = { kind: 'folder'; fd: number; stats: Stats; base: string; finalPath: string };

const refusedSymlink = { kind: 'refused', reason: 'symbolic links are not followed' } as const;
const refusedSpecialFile = {
  kind: 'refused',
  reason: 'only files and folders can be read; this is a device, a pipe or a socket',
} as const;
const refusedBusy = {
  kind: 'refused',
  reason: 'another program has it open and lets no other read it; close it there',
  isBusy: true,
} as const;
const refusedPermission = { kind: 'refused', reason: 'permission denied; check its permissions' } as const;

/** Resolves the vault folder. Symbolic links in the path to it are followed; those inside are not. */
export function resolveRoot(folder: string): VaultRoot {
  try {
    const root = realpathSync(folder) as VaultRoot;
    closeSync(openRootFolder(root).fd);
    return root;
  } catch (cause) {
    throw new VaultError('no-vault', `cannot open ${folder}`, {
      hint: `create a vault there with: keepsake init ${folder}`,
      cause,
    });
  }
}

/**
 * Opens a path one name at a time, each relative to its open parent and never through a symbolic link. Checking the whole path
 * before opening it would be a race in which a parent can be replaced by a link out of the vault.
 */
export function openPath(root: VaultRoot, path: VaultPath): OpenResult {
  let place: OpenResult = openRootFolder(root);
  for (const part of pathSegments(path)) {
    if (place.kind === 'file') {
      closeSync(place.fd);
      return { kind: 'missing' };
    }
    if (place.kind !== 'folder') return place;
    const folder: OpenFolder = place;
    place = closeAfterSync(folder, () => openChild(folder, resolveDiskName(folder, part)));
  }
  return place;
}

export function openRootFolder(root: VaultRoot): OpenFolder {
  try {
    return createOpenFolder(openSync(root, constants.O_RDONLY | constants.O_DIRECTORY), root);
  } catch (cause) {
    const message = `cannot open the vault ${root} (${errorCode(cause)})`;
    throw new VaultError('no-vault', message, { hint: 'check whether it was moved or unmounted', cause });
  }
}

/** Opens an entry of a folder by its name on disk. */
export function openChild(folder: OpenFolder, diskName: string): OpenResult {
  const problem = process.platform === 'win32' ? windowsNameProblem(diskName) : null;
  if (problem !== null) return { kind: 'refused', reason: problem };
  const stats = lstatChild(folder, diskName);
  if (stats === undefined) return isUnsearchable(folder) ? refusedPermission : { kind: 'missing' };
  if (stats.isSymbolicLink()) return refusedSymlink;
  if (!stats.isFile() && !stats.isDirectory()) return refusedSpecialFile;
  return openChildFd(folder, diskName, stats.isDirectory());
}

/** Runs `work` and closes the file or folder afterwards, even if it fails. */
export async function closeAfter<Value>(place: { fd: number }, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    closeSync(place.fd);
  }
}

function closeAfterSync<Value>(place: { fd: number }, work: () => Value): Value {
  try {
    return work();
  } finally {
    closeSync(place.fd);
  }
}

/** Resolves an NFC name to the name on disk, which may be decomposed, e.g. on macOS. */
export function resolveDiskName(folder: OpenFolder, name: string): string {
  if (ignoresCase() && lstatChild(folder, name) !== undefined) return spellingOnDisk(folder.base, name);
  if (isAscii(Buffer.from(name)) || lstatChild(folder, name) !== undefined) return name;
  const diskNames = readNames(folder).filter((other) => other.normalize('NFC') === name);
  return diskNames.toSorted()[0] ?? name;
}

/** The names in an open folder, including hidden ones; empty if the folder has been removed. */
export function readNames(folder: OpenFolder): string[] {
  try {
    return readdirSync(folder.base);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Returns the stats of an entry without following a symbolic link. */
export function lstatChild(folder: OpenFolder, name: string): Stats | undefined {
  try {
    return lstatSync(`${folder.base}/${name}`, { throwIfNoEntry: false });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether a folder can be listed but not searched, so that existing and missing entries look the same. */
function isUnsearchable(folder: OpenFolder): boolean {
  try {
    accessSync(folder.base, constants.X_OK);
    return false;
  } catch (error) {
    return errorCode(error) === 'EACCES';
  }
}

/** Whether the path is missing, invalid or in a folder without permission. */
function isNotFound(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES'].includes(errorCode(error) ?? '');
}

function openChildFd(folder: OpenFolder, name: string, isFolder: boolean): OpenResult {
  const path = join(folder.base, name);
  // O_NONBLOCK: opening must not block on a pipe that has replaced the file since the lstat.
  const flags = constants.O_RDONLY | noFollowFlag() | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = retryWhileBusy(() => openSync(path, isFolder ? flags | constants.O_DIRECTORY : flags));
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code === 'ELOOP' || code === 'ENOTDIR') return refusedSymlink;
    if (code === 'EACCES' || code === 'EPERM') return refusedPermission;
    if (code === 'ENXIO') return refusedSpecialFile;
    if (code === 'EBUSY') return refusedBusy;
    throw error;
  }
  const problem = process.platform === 'win32' ? locationProblem(fd, folder.finalPath, name) : null;
  const stats = fstatSync(fd);
  if (problem === null && stats.isDirectory()) return createOpenFolder(fd, path, stats);
  if (problem === null && stats.isFile()) return { kind: 'file', fd, stats };
  closeSync(fd);
  return problem === null ? refusedSpecialFile : { kind: 'refused', reason: problem };
}

/**
 * macOS reaches children by path, so there it refuses links anywhere in the path, not only at its end. Node.js does not
 * know that flag.
 */
function noFollowFlag(): number {
  return process.platform === 'darwin' ? darwinNoFollowAny : constants.O_NOFOLLOW;
}

/** O_NOFOLLOW_ANY of <sys/fcntl.h>. */
const darwinNoFollowAny = 0x2000_0000;

/** On Linux, children are reached through the open descriptor; other systems have to use the path. */
function createOpenFolder(fd: number, path: string, stats = fstatSync(fd)): OpenFolder {
  const base = process.platform === 'linux' ? `/proc/self/fd/${fd}` : path;
  return { kind: 'folder', fd, stats, base, finalPath: finalPathOf(fd) };
}
