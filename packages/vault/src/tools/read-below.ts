import type { PathError } from '../contract/index.ts';
import { filePathsBelow, folderIn, foldersBelow, showPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { WriteRun } from './run.ts';

export type Below = { files: { path: VaultPath; bytes: Buffer }[]; folders: VaultPath[] };

/** A file on its own, or all files and folders of a folder, itself included. */
export async function readBelow(
  run: WriteRun,
  path: VaultPath,
  isFolder: boolean,
): Promise<Below | { error: PathError }> {
  const folder = isFolder ? folderIn(await run.view.contents(path), path) : undefined;
  const paths = folder === undefined ? [path] : [...filePathsBelow(folder)];
  const files: Below['files'] = [];
  for (const file of paths) {
    const present = await run.view.read(file);
    if (present.kind === 'refused') return { error: { path: showPath(file), message: present.reason } };
    if (present.kind === 'file') files.push({ path: file, bytes: present.bytes });
  }
  return { files, folders: folder === undefined ? [] : [...foldersBelow(folder)].map((below) => below.path) };
}
