import { isPortable, nameOf, parentPath, partsOf, rootPath } from '../../vault/index.ts';
import type { Policy, VaultPath } from '../../vault/index.ts';

/** What an import may write: anything, but only in buckets. The person who started it has agreed to all of it. */
export const importPolicy: Policy = {
  whenHeld: 'confirm',
  mustHold: () => null,
  mayWrite(path) {
    const [first, , third] = partsOf(path);
    if (first !== 'bucket' && !(first === 'projects' && third === 'bucket')) return 'it is in no bucket';
    for (let at: VaultPath = path; at !== rootPath; at = parentPath(at))
      if (!isPortable(nameOf(at))) return `the name ${nameOf(at)} does not work on every system`;
    return null;
  },
};
