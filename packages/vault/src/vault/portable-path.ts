import { isTransientFile } from './transient-files.ts';
import { baseName, parentPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { isPortable } from './portable-name.ts';

/** Why a new path is invalid on some system that the vault may be synced to; null if it is valid on all of them. */
export function portableProblem(path: VaultPath): string | null {
  if (isTransientFile(baseName(path)))
    return `the name ${JSON.stringify(baseName(path))} is used by other programs for temporary files; choose another`;
  for (let at = path; at !== rootPath; at = parentPath(at)) {
    const name = baseName(at);
    if (!isPortable(name))
      return `the name ${JSON.stringify(name)} is not valid on every operating system; choose another`;
  }
  return null;
}
