import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its parents. The recursive mkdir of Node.js never ends where the system reports a folder as missing after it was
 * refused, as in `/proc`.
 */
export function createFolders(path: string): void {
  const missing: string[] = [];
  for (let folder = path; !existsSync(folder) && folder !== dirname(folder); folder = dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) createFolder(folder);
  // Fails if a file has the name.
  mkdirSync(path, { recursive: true });
}

/** Another process may create it at the same time. */
function createFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}
