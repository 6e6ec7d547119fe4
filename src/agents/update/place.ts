import type { WriteRun } from '../../tools/index.ts';
import { childPath, folderIn, freeName, nameOf } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** Of any size: what a person laid into the inbox is moved, too. Null when there is no file, or none that can be had. */
export async function bytesAt({ view }: WriteRun, path: VaultPath): Promise<Buffer | null> {
  const read = await view.read(path, Infinity);
  return read.kind === 'file' ? read.bytes : null;
}

/** Moves a file into a folder, under another name if this one is taken there. Gives where it lies; null if it is gone. */
export async function placeIn(
  run: WriteRun,
  folder: VaultPath,
  path: VaultPath,
  wanted = nameOf(path),
): Promise<VaultPath | null> {
  const bytes = await bytesAt(run, path);
  if (bytes === null) return null;
  const there = folderIn(await run.view.contents(folder), folder);
  const name = freeName(
    wanted,
    (each) => there?.files.has(each) === true || there?.folders.has(each) === true,
  );
  const target = childPath(folder, name);
  const staged = run.transaction.move(path, target, bytes);
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
  return target;
}

/** Whether a file that was laid out lies neither there nor where it was moved to. */
export function isTakenBack({ transaction }: WriteRun, path: VaultPath): boolean {
  return transaction.before(path) === undefined && transaction.movedTo(path) === undefined;
}
