import type { FileEntry, FolderEntry } from './file-record.ts';
import { childPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** A file with its folder; the path consists of the folder path and the name. */
export type FolderFile = { folder: VaultPath; name: string; entry: FileEntry };

/** Yields every file in a folder and its subfolders. */
export function* walkFiles(folder: FolderEntry): Generator<FolderFile> {
  for (const [name, entry] of folder.files) yield { folder: folder.path, name, entry };
  for (const child of folder.folders.values()) yield* walkFiles(child);
}

export function* walkFilePaths(folder: FolderEntry): Generator<VaultPath> {
  for (const file of walkFiles(folder)) yield childPath(file.folder, file.name);
}

/** Yields the folder and all its subfolders. */
export function* walkFolders(folder: FolderEntry): Generator<FolderEntry> {
  yield folder;
  for (const child of folder.folders.values()) yield* walkFolders(child);
}
