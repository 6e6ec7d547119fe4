import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { childPath, pathSegments, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { isSameName } from './windows-paths.ts';

/**
 * Whether the disks of this system usually ignore case, and the system reports how a name is spelled on them. On Linux, two
 * names that differ in case are two files.
 */
export function ignoresCase(): boolean {
  return process.platform === 'win32' || process.platform === 'darwin';
}

/** The name of an existing entry as it is on disk; `name` is in NFC. */
export function spellingOnDisk(folder: string, name: string): string {
  try {
    const onDisk = basename(realpathSync.native(`${folder}/${name}`));
    return isSameName(onDisk.normalize('NFC'), name) ? onDisk : name;
  } catch {
    return name;
  }
}

/** The path with the capitals that its existing folders and file have on disk. Links are not followed. */
export function resolveCaseOnDisk(root: string, path: VaultPath): VaultPath {
  if (!ignoresCase()) return path;
  const names = pathSegments(path);
  for (let existing = names.length; existing > 0; existing -= 1) {
    const found = spellingBelow(root, names.slice(0, existing));
    if (found !== null) return [...found, ...names.slice(existing)].reduce(childPath, rootPath);
  }
  return path;
}

/** Null if there is no such entry, or not at this place. */
function spellingBelow(root: string, names: string[]): string[] | null {
  try {
    const [base, found] = [realpathSync.native(root), realpathSync.native([root, ...names].join('/'))];
    const below = found
      .slice(base.length + 1)
      .normalize('NFC')
      .replaceAll('\\', '/');
    return found.startsWith(base) && isSameName(below, names.join('/')) ? below.split('/') : null;
  } catch {
    return null;
  }
}
