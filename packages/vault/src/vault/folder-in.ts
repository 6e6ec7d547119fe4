import type { FileEntry, FolderEntry } from './entry.ts';
import { nameOf, parentPath, partsOf } from './path.ts';
import type { VaultPath } from './path.ts';

/** The folder at this path, if the catalogue has it. */
export function folderIn(contents: FolderEntry, path: VaultPath): FolderEntry | undefined {
  let folder: FolderEntry | undefined = contents;
  for (const name of partsOf(path)) folder = folder?.folders.get(name);
  return folder;
}

/** The file at this path, if the catalogue has it. */
export function fileIn(contents: FolderEntry, path: VaultPath): FileEntry | undefined {
  return folderIn(contents, parentPath(path))?.files.get(nameOf(path));
}
