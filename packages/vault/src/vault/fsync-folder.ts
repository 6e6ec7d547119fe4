import { fsyncSync } from 'node:fs';
import type { OpenFolder } from './open-path.ts';
import { windowsCalls, windowsErrors } from './windows-calls.ts';

/**
 * Flushes the names in a folder to disk. Windows flushes only folders that are opened for writing, which needs permission
 * to create files in them, and some drives cannot flush folders at all; names are then as durable as the drive keeps them.
 */
export function fsyncFolder({ fd, base }: Pick<OpenFolder, 'fd' | 'base'>): void {
  if (process.platform !== 'win32') return fsyncSync(fd);
  const error = windowsCalls().flushFolder(base);
  if (!toleratedErrors.has(error))
    throw Object.assign(new Error(`EIO: cannot flush ${base} (Windows error ${error})`), { code: 'EIO' });
}

const [invalidFunction, notSupported, invalidParameter] = [1, 50, 87];
const toleratedErrors = new Set([
  0,
  windowsErrors.accessDenied,
  windowsErrors.sharingViolation,
  invalidFunction,
  notSupported,
  invalidParameter,
]);
