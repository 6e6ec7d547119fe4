import { filePaths, folderPaths } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { childPath, folderIn, nameOf, parentPath, rootPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { freeName, inbox, originalName, reviewName } from './incoming.ts';
import type { Incoming } from './incoming.ts';

const bucket = childPath(rootPath, 'bucket');

/**
 * With a question in the inbox what came in lies beside it. Else what came as a file, and was put nowhere, goes to the
 * bucket; the words are filed by now, and in the queue. Gives the item, if there is one.
 */
export async function settleIncoming(
  run: WriteRun,
  { folder, original }: Incoming,
  answered: VaultPath | null,
): Promise<VaultPath | null> {
  run.transaction.drop([folder]);
  const item = questionIn(run, answered);
  for (const [path, bytes] of run.transaction.staged()) {
    if (bytes === null || parentPath(path) !== folder || item === folder) continue;
    if (item !== null) await place(run, path, item);
    else if (path === original) run.transaction.drop([path]);
    else await place(run, path, bucket);
  }
  return item;
}

/** A question is a review that is new, or that of the item being answered, written anew; no other item is ours to ask in. */
function questionIn({ transaction }: WriteRun, answered: VaultPath | null): VaultPath | null {
  for (const [path, after] of transaction.staged()) {
    const item = parentPath(path);
    if (after === null || nameOf(path) !== reviewName || parentPath(item) !== inbox) continue;
    if (transaction.before(path) === null || item === answered) return item;
  }
  return null;
}

/** An answered question goes, with the words it was about; every other file in it is kept. */
export async function closeItem(run: WriteRun, item: VaultPath): Promise<void> {
  const contents = folderIn(await run.view.contents(item), item);
  if (contents === undefined) return;
  for (const path of filePaths(contents)) {
    const bytes = await bytesAt(run, path);
    const isWords = parentPath(path) === item && [reviewName, originalName].includes(nameOf(path));
    if (bytes !== null && isWords) run.transaction.remove(path, bytes);
    else if (bytes !== null) await place(run, path, bucket);
  }
  for (const folder of folderPaths(contents)) run.transaction.removeFolder(folder);
}

async function place(run: WriteRun, from: VaultPath, target: VaultPath): Promise<void> {
  const bytes = await bytesAt(run, from);
  if (bytes === null) return;
  const there = folderIn(await run.view.contents(target), target);
  const taken = new Set([...(there?.files.keys() ?? []), ...(there?.folders.keys() ?? [])]);
  const staged = run.transaction.move(from, childPath(target, freeName(nameOf(from), taken)), bytes);
  if (!staged.ok) throw new Error(`${from}: ${staged.reason}`);
}

export function bytesAt({ view }: WriteRun, path: VaultPath): Promise<Buffer | null> {
  return view.look(path, async (viewed) =>
    viewed.kind === 'file' ? viewed.source.read(0, viewed.source.size) : null,
  );
}
