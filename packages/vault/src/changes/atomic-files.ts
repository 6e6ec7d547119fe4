import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, linkSync, lstatSync, openSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { openPath, openRootFolder, parentPath, errorCode } from '../vault/index.ts';
import type { OpenFolder, VaultPath, VaultRoot } from '../vault/index.ts';
import { syscalls } from './syscalls.ts';

/**
 * Exchanges two files, atomically where the file system supports it, so that neither is ever missing. Elsewhere b is moved
 * to `backupPath(a)` before a takes its place. If another program saves b at that moment, its save wins: the function
 * returns false, b is the saved file, and neither of the original two remains.
 */
export function exchangeFiles(a: string, b: string): boolean {
  const code = syscalls().exchangeFiles(a, b);
  if (code === null) return true;
  if (!unsupportedErrorCodes.has(code)) throw createSystemError(code, `cannot exchange ${b}`);
  const backup = backupPath(a);
  renameSync(b, backup);
  let isPlaced: boolean;
  try {
    isPlaced = renameNoReplace(a, b);
  } catch (error) {
    renameNoReplace(backup, b);
    throw error;
  }
  if (isPlaced) renameSync(backup, a);
  else for (const name of [a, backup]) unlinkSync(name);
  return isPlaced;
}

export function backupPath(file: string): string {
  return `${file}.old`;
}

/**
 * Renames a file without replacing an existing one, in the safest way that the file system supports; returns false when
 * the target exists.
 */
export function renameNoReplace(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    const code = syscalls().renameNoReplace(from, to);
    if (code === null || code === 'EEXIST') return code === null;
    // The best remaining approximation: the window for a race is only between these two system calls.
    if (lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}

/**
 * Whether another program has the file at a path open for writing; null when that cannot be detected. `fd` is open for
 * reading. A network file system may refuse every lease, so a refusal counts only on devices that grant leases at all.
 */
export function isBeingWritten(fd: number, root: VaultRoot, path: VaultPath): boolean | null {
  const code = syscalls().tryReadLease(fd);
  if (code === null) return false;
  if (code !== 'EAGAIN' && code !== 'EWOULDBLOCK') return null;
  return supportsLeases(fstatSync(fd).dev, root, path) ? true : null;
}

/** Probed once per device, with a temporary file in the folder of `path`. */
function supportsLeases(device: number, root: VaultRoot, path: VaultPath): boolean {
  const known = syscalls().leaseSupportByDevice.get(device);
  if (known !== undefined) return known;
  const folder = openPath(root, parentPath(path));
  if (folder.kind === 'missing' || folder.kind === 'refused') return false;
  try {
    if (folder.kind === 'file' || folder.stats.dev !== device) return false;
    const isGranted = probeLeaseSupport(folder);
    syscalls().leaseSupportByDevice.set(device, isGranted);
    return isGranted;
  } catch {
    // The folder is not writable now, so the probe says nothing.
    return false;
  } finally {
    closeSync(folder.fd);
  }
}

function probeLeaseSupport(folder: OpenFolder): boolean {
  const file = `${folder.base}/.keepsake-try-${randomUUID()}`;
  closeSync(openSync(file, 'wx'));
  const fd = openSync(file, 'r');
  try {
    return syscalls().tryReadLease(fd) === null;
  } finally {
    closeSync(fd);
    unlinkSync(file);
  }
}

/** What the file system of a vault offers for changing files that other programs use at the same time. */
export type FileSystemCapabilities = {
  canExchange: boolean;
  canLink: boolean;
  canRenameNoReplace: boolean;
  canDetectWriters: boolean;
};

/** Probes the file system with temporary files. */
export function probeFileSystem(root: VaultRoot): FileSystemCapabilities {
  const folder = openRootFolder(root);
  const name = `${folder.base}/.keepsake-try-${randomUUID()}`;
  const [a, b, free, link] = [`${name}-a`, `${name}-b`, `${name}-c`, `${name}-d`];
  try {
    for (const file of [a, b]) closeSync(openSync(file, 'wx'));
    const system = syscalls();
    return {
      canDetectWriters: probeLeaseSupport(folder),
      canExchange: system.exchangeFiles(a, b) === null,
      canRenameNoReplace: system.renameNoReplace(b, free) === null,
      canLink: succeeds(() => linkSync(a, link)),
    };
  } finally {
    for (const file of [a, b, free, link]) rmSync(file, { force: true });
    closeSync(folder.fd);
  }
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function createSystemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

const unsupportedErrorCodes = new Set(['ENOSYS', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP']);
