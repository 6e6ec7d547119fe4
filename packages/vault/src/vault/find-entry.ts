import type { FileEntry, FolderEntry } from './file-record.ts';
import { baseName, parentPath, pathSegments } from './path.ts';
import type { VaultPath } from './path.ts';

/** Finds the folder at a path in the catalogue. */
export function findFolder(contents: FolderEntry, path: VaultPath): FolderEntry | undefined {
  let folder: FolderEntry | undefined = contents;
  for (const name of pathSegments(path)) folder = folder?.folders.get(name);
  return folder;
}

/** Finds the file at a path in the catalogue. */
export function findFile(contents: FolderEntry, path: VaultPath): FileEntry | undefined {
  return findFolder(contents, parentPath(path))?.files.get(baseName(path));
}
