import { childPath, viewOf } from '../vault/index.ts';
import type { FolderEntry, VaultPath, VaultView } from '../vault/index.ts';

/** The vault without files that are kept from agents: for whoever holds this view they do not exist. */
export function excludingView(base: VaultView, isExcluded: (path: VaultPath) => boolean): VaultView {
  return viewOf({
    contents: async (fresh) => without(await base.contents(fresh), isExcluded),
    look: (path, use) =>
      isExcluded(path) || isExcluded(childPath(path, anything))
        ? use({ kind: 'missing' })
        : base.look(path, (viewed) =>
            use(
              viewed.kind === 'folder'
                ? { ...viewed, files: viewed.files.filter((file) => !isExcluded(file)) }
                : viewed,
            ),
          ),
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
