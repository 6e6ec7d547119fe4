import { isForeignFile } from './foreign-names.ts';
import { nameOf, parentPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { isPortable } from './portable-name.ts';

/** New names must exist on every system a vault may be synced to. */
export function portableProblem(path: VaultPath): string | null {
  if (isForeignFile(nameOf(path)))
    return `the name ${JSON.stringify(nameOf(path))} is one of those that other programs use for a moment; choose another`;
  for (let at = path; at !== rootPath; at = parentPath(at)) {
    const name = nameOf(at);
    if (!isPortable(name))
      return `the name ${JSON.stringify(name)} does not work on every system; choose another`;
  }
  return null;
}
