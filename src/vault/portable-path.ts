import { nameOf, parentPath, rootPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { isPortable } from './portable-name.ts';

/** New names must exist on every system a vault may be synced to. */
export function portableProblem(path: VaultPath): string | null {
  for (let at = path; at !== rootPath; at = parentPath(at)) {
    const name = nameOf(at);
    if (!isPortable(name))
      return `the name ${JSON.stringify(name)} does not work on every system; choose another`;
  }
  return null;
}
