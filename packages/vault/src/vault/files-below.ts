import type { FileEntry, FolderEntry } from './entry.ts';
import { childPath } from './path.ts';
import type { VaultPath } from './path.ts';

/** A file as it lies in its folder; its path is that of the folder and its name. */
export type FileBelow = { folder: VaultPath; name: string; entry: FileEntry };

/** Every file below a folder, folder by folder. */
export function* filesBelow(folder: FolderEntry): Generator<FileBelow> {
  for (const [name, entry] of folder.files) yield { folder: folder.path, name, entry };
  for (const child of folder.folders.values()) yield* filesBelow(child);
}

export function* filePathsBelow(folder: FolderEntry): Generator<VaultPath> {
  for (const file of filesBelow(folder)) yield childPath(file.folder, file.name);
}

/** The folder and every folder below it. */
export function* foldersBelow(folder: FolderEntry): Generator<FolderEntry> {
  yield folder;
  for (const child of folder.folders.values()) yield* foldersBelow(child);
}
