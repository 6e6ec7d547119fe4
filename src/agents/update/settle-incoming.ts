import type { WriteRun } from '../../tools/index.ts';
import {
  bucketPath,
  childPath,
  filePathsBelow,
  folderIn,
  foldersBelow,
  itemAskedIn,
  kindOf,
  nameOf,
  originalName,
  parentPath,
  reviewName,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { originalOf } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { moveCompanions } from './move-companions.ts';
import { bytesAt, isTakenBack, placeIn } from './place.ts';

/**
 * With a question in the inbox what came in lies beside it. Else what came as a file, and was put nowhere, goes to the
 * bucket; so do the words, unless they are written down by now. Gives the item, if there is one.
 */
export async function settleIncoming(
  run: WriteRun,
  incoming: Incoming,
  { answered, isWritten }: { answered: VaultPath | null; isWritten: boolean },
): Promise<VaultPath | null> {
  const { folder, files, original } = incoming;
  run.transaction.drop([folder]);
  const item = questionIn(run, answered);
  if (item === null && original !== null && isWritten) run.transaction.drop([original]);
  else if (item === null && original !== null) await keepWords(run, original);
  keepDocuments(run, files);
  if (item !== folder) await takeOut(run, [...files.keys()], item ?? bucketPath);
  return item;
}

/** A document is kept, also by an agent that has filed all of it and wants to delete its note. */
function keepDocuments(run: WriteRun, files: Incoming['files']): void {
  for (const [path, bytes] of files) {
    const isNote = kindOf(nameOf(path)) === 'markdown' && originalOf(bytes.toString()) !== null;
    if (isNote && isTakenBack(run, path)) run.transaction.place(path, bytes);
  }
}

/** What the agent moved brings along what belongs to it; whatever is left then goes where it can be found. */
async function takeOut(run: WriteRun, files: readonly VaultPath[], target: VaultPath): Promise<void> {
  const notes = files.filter((path) => kindOf(nameOf(path)) === 'markdown');
  await moveCompanions(run, notes);
  for (const path of [...notes, ...files])
    if (await placeIn(run, target, path)) await moveCompanions(run, [path]);
}

/** A question is a review that is new, or that of the item being answered, written anew; no other item is ours to ask in. */
function questionIn({ transaction }: WriteRun, answered: VaultPath | null): VaultPath | null {
  for (const [path, after] of transaction.staged()) {
    const item = parentPath(path);
    if (after === null || itemAskedIn(path) === null) continue;
    if (transaction.before(path) === null || item === answered) return item;
  }
  return null;
}

/** An answered question goes, with the words it was about once they are written down; every other file in it is kept. */
export async function closeItem(run: WriteRun, item: VaultPath, isWritten: boolean): Promise<void> {
  const contents = folderIn(await run.view.contents(item), item);
  if (contents === undefined) return;
  const original = childPath(item, originalName);
  if (!isWritten) await keepWords(run, original);
  for (const path of [childPath(item, reviewName), original]) {
    const bytes = await bytesAt(run, path);
    if (bytes !== null) run.transaction.remove(path, bytes);
  }
  const moved = [...run.transaction.staged().keys()].filter((path) => parentPath(path) === item);
  await takeOut(run, [...moved, ...filePathsBelow(contents)], bucketPath);
  for (const { path } of foldersBelow(contents)) run.transaction.removeFolder(path);
}

/** In the bucket, under the name of the item they lay in. */
async function keepWords(run: WriteRun, original: VaultPath): Promise<void> {
  await placeIn(run, bucketPath, original, `${nameOf(parentPath(original))}.md`);
}
