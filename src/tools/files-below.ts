import type { PathError } from '../contract/index.ts';
import { childPath, folderIn, showPath } from '../vault/index.ts';
import type { FolderEntry, VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

export type Below = { files: { path: VaultPath; bytes: Buffer }[]; folders: VaultPath[] };

/** A file on its own, or all files and folders of a folder, itself included. */
export async function filesBelow(
  run: WriteRun,
  path: VaultPath,
  isFolder: boolean,
): Promise<Below | { error: PathError }> {
  const folder = isFolder ? folderIn(await run.view.contents(path), path) : undefined;
  const paths = folder === undefined ? [path] : [...filePaths(folder)];
  const files: Below['files'] = [];
  for (const file of paths) {
    const present = await run.view.read(file);
    if (present.kind === 'refused') return { error: { path: showPath(file), message: present.reason } };
    if (present.kind === 'file') files.push({ path: file, bytes: present.bytes });
  }
  return { files, folders: folder === undefined ? [] : [...folderPaths(folder)] };
}

/** Every file below a folder. */
export function* filePaths(folder: FolderEntry): Generator<VaultPath> {
  for (const name of folder.files.keys()) yield childPath(folder.path, name);
  for (const child of folder.folders.values()) yield* filePaths(child);
}

/** The folder and every folder below it. */
export function* folderPaths(folder: FolderEntry): Generator<VaultPath> {
  yield folder.path;
  for (const child of folder.folders.values()) yield* folderPaths(child);
}
