import type { PathError } from '../contract/index.ts';
import { walkFilePaths, findFolder, walkFolders, formatPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

export type FolderContents = { files: { path: VaultPath; bytes: Buffer }[]; folders: VaultPath[] };

/** Reads a single file, or all files and folders in a folder, including the folder itself. */
export async function readRecursively(
  run: WriteRun,
  path: VaultPath,
  isFolder: boolean,
): Promise<FolderContents | { error: PathError }> {
  const folder = isFolder ? findFolder(await run.view.contents(path), path) : undefined;
  const paths = folder === undefined ? [path] : [...walkFilePaths(folder)];
  const files: FolderContents['files'] = [];
  for (const file of paths) {
    const current = await run.view.read(file);
    if (current.kind === 'refused') return { error: { path: formatPath(file), message: current.reason } };
    if (current.kind === 'file') files.push({ path: file, bytes: current.bytes });
  }
  return { files, folders: folder === undefined ? [] : [...walkFolders(folder)].map((below) => below.path) };
}
