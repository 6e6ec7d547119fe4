import { childPath, findFolder, createViewFrom } from '../vault/index.ts';
import type { FolderEntry, VaultPath, VaultView } from '../vault/index.ts';

/**
 * A view without the files hidden from agents, as if they did not exist. `exclusion` is evaluated before each access;
 * null hides nothing.
 */
export function createFilteredView(
  base: VaultView,
  exclusion: () => ((path: VaultPath) => boolean) | null,
): VaultView {
  const contents: VaultView['contents'] = async (fresh) => {
    const isExcluded = exclusion();
    const all = await base.contents(fresh);
    return isExcluded === null ? all : excludeFrom(all, isExcluded);
  };
  return createViewFrom({
    contents,
    layout: base.layout,
    resolveCase(path) {
      const resolved = base.resolveCase(path);
      // The capitals of a hidden file would reveal that it exists.
      return exclusion()?.(resolved) === true ? path : resolved;
    },
    async findLinkingNotes(names) {
      const isExcluded = exclusion();
      const all = await base.findLinkingNotes(names);
      return isExcluded === null ? all : all.filter((path) => !isExcluded(path));
    },
    async findTasks(group) {
      const isExcluded = exclusion();
      const all = await base.findTasks(group);
      return isExcluded === null ? all : all.filter(({ path }) => !isExcluded(path));
    },
    async findMarks() {
      const isExcluded = exclusion();
      const all = await base.findMarks();
      return isExcluded === null ? all : all.filter(({ path }) => !isExcluded(path));
    },
    async withEntry(path, use) {
      const isExcluded = exclusion();
      if (isExcluded === null) return base.withEntry(path, use);
      if (isExcluded(path) || isExcluded(childPath(path, folderProbeName))) return use({ kind: 'missing' });
      return base.withEntry(path, async (viewed) => {
        if (viewed.kind !== 'folder') return use(viewed);
        const files = viewed.files.filter((file) => !isExcluded(file));
        // If no file is visible, the tree decides whether the folder itself is hidden.
        const isShown = files.length > 0 || findFolder(await contents(path), path) !== undefined;
        return use(isShown ? { ...viewed, files } : { kind: 'missing' });
      });
    },
  });
}

function excludeFrom(folder: FolderEntry, isExcluded: (path: VaultPath) => boolean): FolderEntry {
  const visible = <Entry>(entries: Map<string, Entry>): [string, Entry][] =>
    [...entries].filter(([name]) => !isExcluded(childPath(folder.path, name)));
  return {
    path: folder.path,
    files: new Map(visible(folder.files)),
    folders: new Map(
      visible(folder.folders)
        .filter(([, child]) => !isExcluded(childPath(child.path, folderProbeName)))
        .map(([name, child]): [string, FolderEntry] => [name, excludeFrom(child, isExcluded)])
        // Hides a folder whose contents are all hidden, because its name would reveal that it exists.
        .filter(
          ([name, child]) => child.files.size + child.folders.size > 0 || isEmpty(folder.folders.get(name)),
        ),
    ),
  };
}

/** Stands for any file in a folder. If it is excluded, all files in the folder are, and the folder itself is hidden. */
export const folderProbeName = 'anything';

function isEmpty(folder: FolderEntry | undefined): boolean {
  return folder === undefined || folder.files.size + folder.folders.size === 0;
}
