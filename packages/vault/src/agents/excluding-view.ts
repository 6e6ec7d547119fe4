import { childPath, folderIn, viewOf } from '../vault/index.ts';
import type { FolderEntry, VaultPath, VaultView } from '../vault/index.ts';

/**
 * The vault without files that are kept from agents: for whoever holds this view they do not exist. What is kept from them is
 * asked before each look; null means nothing.
 */
export function excludingView(
  base: VaultView,
  exclusion: () => ((path: VaultPath) => boolean) | null,
): VaultView {
  const contents: VaultView['contents'] = async (fresh) => {
    const isExcluded = exclusion();
    const all = await base.contents(fresh);
    return isExcluded === null ? all : without(all, isExcluded);
  };
  return viewOf({
    contents,
    layout: base.layout,
    async linking(names) {
      const isExcluded = exclusion();
      const all = await base.linking(names);
      return isExcluded === null ? all : all.filter((path) => !isExcluded(path));
    },
    async look(path, use) {
      const isExcluded = exclusion();
      if (isExcluded === null) return base.look(path, use);
      if (isExcluded(path) || isExcluded(childPath(path, anything))) return use({ kind: 'missing' });
      return base.look(path, async (viewed) => {
        if (viewed.kind !== 'folder') return use(viewed);
        const files = viewed.files.filter((file) => !isExcluded(file));
        // One that shows nothing may hide everything that is in it: whether it exists, the tree says.
        const isShown = files.length > 0 || folderIn(await contents(path), path) !== undefined;
        return use(isShown ? { ...viewed, files } : { kind: 'missing' });
      });
    },
  });
}

function without(folder: FolderEntry, isExcluded: (path: VaultPath) => boolean): FolderEntry {
  const kept = <Entry>(entries: Map<string, Entry>): [string, Entry][] =>
    [...entries].filter(([name]) => !isExcluded(childPath(folder.path, name)));
  return {
    path: folder.path,
    files: new Map(kept(folder.files)),
    folders: new Map(
      kept(folder.folders)
        .filter(([, child]) => !isExcluded(childPath(child.path, anything)))
        .map(([name, child]): [string, FolderEntry] => [name, without(child, isExcluded)])
        // A folder of which nothing is left would tell its name.
        .filter(
          ([name, child]) => child.files.size + child.folders.size > 0 || isEmpty(folder.folders.get(name)),
        ),
    ),
  };
}

/** Stands for whatever may be in a folder: one whose contents are excluded is excluded itself. */
const anything = 'anything';

function isEmpty(folder: FolderEntry | undefined): boolean {
  return folder === undefined || folder.files.size + folder.folders.size === 0;
}
