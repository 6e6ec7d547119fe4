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
import { systemCode, VaultError } from './error.ts';
import { partsOf } from './path.ts';
import type { VaultPath } from './path.ts';

declare const brand: unique symbol;

/** The real path of an existing vault folder. */
export type VaultRoot = string & { readonly [brand]: 'VaultRoot' };

/** What is at a path. Whoever receives an open file or folder closes its `fd`. */
export type Found = OpenFile | OpenFolder | { kind: 'missing' } | { kind: 'refused'; reason: string };
export type OpenFile = { kind: 'file'; fd: number; stats: Stats };

/** A folder held open; below `base` are its children, whatever its own path is swapped for meanwhile. */
export type OpenFolder = { kind: 'folder'; fd: number; stats: Stats; base: string };

const symlink = { kind: 'refused', reason: 'symbolic links are refused' } as const;
const special = {
  kind: 'refused',
  reason: 'only files and folders can be read; this is a device, a pipe or a socket',
} as const;
const denied = { kind: 'refused', reason: 'permission denied; give yourself read access to it' } as const;

/** Resolves the folder a person named. Symlinks on the way to it are theirs to use; those inside are not. */
export function openRoot(folder: string): VaultRoot {
  try {
    const root = realpathSync(folder) as VaultRoot;
    closeSync(holdRoot(root).fd);
    return root;
  } catch (cause) {
    throw new VaultError('no-vault', `cannot open ${folder}`, {
      mend: `create a vault there with: keepsake init ${folder}`,
      cause,
    });
  }
}

/**
 * Goes down from the root one name at a time, each opened relative to its already open parent and never
 * through a symlink. Checking a whole path and opening it afterwards would leave a moment in which a parent
 * can be swapped for a link out of the vault.
 */
export function enter(root: VaultRoot, path: VaultPath): Found {
  let place: Found = holdRoot(root);
  for (const part of partsOf(path)) {
    if (place.kind === 'file') {
      closeSync(place.fd);
      return { kind: 'missing' };
    }
    if (place.kind !== 'folder') return place;
    const folder: OpenFolder = place;
    place = closingNow(folder, () => enterChild(folder, spellingIn(folder, part)));
  }
  return place;
}

export function holdRoot(root: VaultRoot): OpenFolder {
  try {
    return hold(openSync(root, constants.O_RDONLY | constants.O_DIRECTORY), root);
  } catch (cause) {
    const message = `the vault ${root} cannot be opened (${systemCode(cause)})`;
    throw new VaultError('no-vault', message, { mend: 'was it moved or unmounted?', cause });
  }
}

/** Opens what a folder holds under this name, as the disk spells it. */
export function enterChild(folder: OpenFolder, spelled: string): Found {
  const stats = lstatChild(folder, spelled);
  if (stats === undefined) return isClosed(folder) ? denied : { kind: 'missing' };
  if (stats.isSymbolicLink()) return symlink;
  if (!stats.isFile() && !stats.isDirectory()) return special;
  return openChild(folder, spelled, stats.isDirectory());
}

/** Closes the file or folder once the work on it is done, also when it fails. */
export async function closing<Value>(place: { fd: number }, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } finally {
    closeSync(place.fd);
  }
}

function closingNow<Value>(place: { fd: number }, work: () => Value): Value {
  try {
    return work();
  } finally {
    closeSync(place.fd);
  }
}

/** How the disk spells a name that is in NFC; macOS, for one, may have decomposed it. */
export function spellingIn(folder: OpenFolder, name: string): string {
  if (isAscii(Buffer.from(name)) || lstatChild(folder, name) !== undefined) return name;
  const spellings = namesIn(folder).filter((other) => other.normalize('NFC') === name);
  return spellings.toSorted()[0] ?? name;
}

/** The names in an open folder, hidden ones included; none when it was removed meanwhile. */
export function namesIn(folder: OpenFolder): string[] {
  try {
    return readdirSync(folder.base);
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

/** What stands under a name, itself: a link is not followed. */
export function lstatChild(folder: OpenFolder, name: string): Stats | undefined {
  try {
    return lstatSync(`${folder.base}/${name}`, { throwIfNoEntry: false });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether a folder can be listed but not entered, so that what is in it cannot be told from what is not. */
function isClosed(folder: OpenFolder): boolean {
  try {
    accessSync(folder.base, constants.X_OK);
    return false;
  } catch (error) {
    return systemCode(error) === 'EACCES';
  }
}

/** Whether there is nothing to be had at a path: it is gone, impossible, or in a folder closed to us. */
function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'EACCES'].includes(systemCode(error) ?? '');
}

function openChild(folder: OpenFolder, name: string, isFolder: boolean): Found {
  const path = join(folder.base, name);
  // O_NONBLOCK: a pipe that took the file's place since the lstat must not hang us.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let fd: number;
  try {
    fd = openSync(path, isFolder ? flags | constants.O_DIRECTORY : flags);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') return { kind: 'missing' };
    if (code === 'ELOOP' || code === 'ENOTDIR') return symlink;
    if (code === 'EACCES' || code === 'EPERM') return denied;
    if (code === 'ENXIO') return special;
    throw error;
  }
  const stats = fstatSync(fd);
  if (stats.isDirectory()) return hold(fd, path, stats);
  if (stats.isFile()) return { kind: 'file', fd, stats };
  closeSync(fd);
  return special;
}

/** Linux reaches children through the open descriptor; elsewhere the path is the nearest there is. */
function hold(fd: number, path: string, stats = fstatSync(fd)): OpenFolder {
  return { kind: 'folder', fd, stats, base: process.platform === 'linux' ? `/proc/self/fd/${fd}` : path };
}
