import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, lstatSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { enter, holdRoot, parentPath, systemCode } from '../vault/index.ts';
import type { OpenFolder, VaultPath, VaultRoot } from '../vault/index.ts';
import { theSystem } from './system-calls.ts';

/**
 * Swaps two files, in one step where the file system can, so that neither is ever missing. Elsewhere b is taken out of
 * its place before a is put there; whoever saves in that moment comes first: then it is false, his file is b, and
 * neither of the two is left. `spareOf(a)` is what b lies under meanwhile.
 */
export function swap(a: string, b: string): boolean {
  const code = theSystem().swap(a, b);
  if (code === null) return true;
  if (!unsupported.has(code)) throw failed(code, `cannot exchange ${b}`);
  const spare = spareOf(a);
  renameSync(b, spare);
  let isPut: boolean;
  try {
    isPut = moveToFree(a, b);
  } catch (error) {
    moveToFree(spare, b);
    throw error;
  }
  if (isPut) renameSync(spare, a);
  else for (const name of [a, spare]) unlinkSync(name);
  return isPut;
}

export function spareOf(file: string): string {
  return `${file}.old`;
}

/** Gives a file a name that is free, with whatever the file system has for it; false when it is not free. */
export function moveToFree(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    const code = theSystem().moveToFree(from, to);
    if (code === null || code === 'EEXIST') return code === null;
    // The nearest there is: nothing comes between a look and the rename but the way into the system.
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}

/**
 * Whether somebody has the file at a path open for writing, or is about to; null where that cannot be told. `fd` reads it.
 * A network file system may refuse every lease as if somebody wrote, so a refusal counts only where others get one.
 */
export function isBeingWritten(fd: number, root: VaultRoot, path: VaultPath): boolean | null {
  const code = theSystem().lease(fd);
  if (code === null) return false;
  if (code !== 'EAGAIN' && code !== 'EWOULDBLOCK') return null;
  return givesLeases(fstatSync(fd).dev, root, path) ? true : null;
}

/** Tried once for each device, with a file of our own beside the one at the path. */
function givesLeases(device: number, root: VaultRoot, path: VaultPath): boolean {
  const known = theSystem().givesLeases.get(device);
  if (known !== undefined) return known;
  const folder = enter(root, parentPath(path));
  if (folder.kind === 'missing' || folder.kind === 'refused') return false;
  try {
    if (folder.kind === 'file' || folder.stats.dev !== device) return false;
    const isGiven = givesLeaseIn(folder);
    theSystem().givesLeases.set(device, isGiven);
    return isGiven;
  } catch {
    // Nothing can be written there now, so nothing was learnt.
    return false;
  } finally {
    closeSync(folder.fd);
  }
}

function givesLeaseIn(folder: OpenFolder): boolean {
  const file = `${folder.base}/.keepsake-try-${randomUUID()}`;
  closeSync(openSync(file, 'wx'));
  const fd = openSync(file, 'r');
  try {
    return theSystem().lease(fd) === null;
  } finally {
    closeSync(fd);
    unlinkSync(file);
  }
}

/** What the file system of a vault has for changing files under the hands of others. */
export type Primitives = {
  canExchange: boolean;
  canLink: boolean;
  canMoveToFree: boolean;
  seesWriters: boolean;
};

/** Tries it, with files that are gone afterwards. */
export function primitivesOf(root: VaultRoot): Primitives {
  const folder = holdRoot(root);
  const name = `${folder.base}/.keepsake-try-${randomUUID()}`;
  const [a, b, free, link] = [`${name}-a`, `${name}-b`, `${name}-c`, `${name}-d`];
  try {
    for (const file of [a, b]) closeSync(openSync(file, 'wx'));
    const system = theSystem();
    return {
      seesWriters: givesLeaseIn(folder),
      canExchange: system.swap(a, b) === null,
      canMoveToFree: system.moveToFree(b, free) === null,
      canLink: isPossible(() => linkSync(a, link)),
    };
  } finally {
    for (const file of [a, b, free, link]) rmSync(file, { force: true });
    closeSync(folder.fd);
  }
}

function isPossible(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function failed(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

const unsupported = new Set(['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);
