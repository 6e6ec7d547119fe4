import type { WriteRun } from '../../tools/index.ts';
import {
  bodyOf,
  bucketPath,
  childPath,
  filePathsBelow,
  folderIn,
  foldersBelow,
  itemAskedIn,
  kindOf,
  nameOf,
  originalName,
  originalOf,
  parentPath,
  reviewName,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { IsWritten } from './account.ts';
import type { Incoming } from './incoming.ts';
import { moveCompanions } from './move-companions.ts';
import { bytesAt, placeBytes, placeIn } from './place.ts';
import { isFoundIn } from './shared-words.ts';

type Settling = {
  answered: VaultPath | null;
  /** All words that were to be filed. */
  words: string;
  isWritten: IsWritten;
};

/**
 * With a question in the inbox what came in lies beside it. Else what came as a file, and was put nowhere, goes to the
 * bucket; so do the words, unless they are written down by now. Gives the item, if there is one.
 */
export async function settleIncoming(
  run: WriteRun,
  incoming: Incoming,
  { answered, words, isWritten }: Settling,
): Promise<VaultPath | null> {
  const { folder, files, original } = incoming;
  run.transaction.drop([folder]);
  const item = questionIn(run, answered);
  for (const [path, bytes] of files) {
    const isFiled = isNote(path) && isWritten(path === original ? words : bodyOf(bytes.toString()));
    const isOriginalKept = originalOf(bytes.toString()) !== null;
    if (item !== null || !isFiled || isOriginalKept) await putBack(run, path, bytes);
  }
  if (item === null && original !== null) {
    const bytes = files.get(original);
    // The agent may have put it somewhere; then it lies there.
    if (run.transaction.movedTo(original) === undefined) run.transaction.drop([original]);
    if (bytes !== undefined && !isWritten(words)) await keepWords(run, folder, bytes);
  }
  if (item !== folder) await takeOut(run, [...files.keys()], item ?? bucketPath);
  return item;
}

function isNote(path: VaultPath): boolean {
  return kindOf(nameOf(path)) === 'markdown';
}

/** What the agent deleted or wrote something else over lies again where it lay; what it moved or only edited stays so. */
async function putBack(run: WriteRun, path: VaultPath, bytes: Buffer): Promise<void> {
  const { transaction } = run;
  if (transaction.movedTo(path) !== undefined) return;
  const present = await bytesAt(run, path);
  if (present !== null && isFoundIn(bodyOf(bytes.toString()), present.toString())) return;
  transaction.drop([path]);
  transaction.place(path, bytes);
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

type Closing = { isWritten: IsWritten; isDropped: boolean };

/** An answered question goes, with the words it was about once they are written down; every other file in it is kept. */
export async function closeItem(
  run: WriteRun,
  item: VaultPath,
  { isWritten, isDropped }: Closing,
): Promise<void> {
  const contents = folderIn(await run.view.contents(item), item);
  const original = childPath(item, originalName);
  // As it was before the agent did anything to it.
  const bytes = run.transaction.before(original) ?? (await bytesAt(run, original));
  const isMoved = run.transaction.movedTo(original) !== undefined;
  if (bytes !== null && !isDropped && !isWritten(bodyOf(bytes.toString())) && !isMoved)
    await keepWords(run, item, bytes);
  for (const path of [childPath(item, reviewName), original]) {
    const present = await bytesAt(run, path);
    if (present !== null) run.transaction.remove(path, present);
  }
  const moved = [...run.transaction.staged().keys()].filter((path) => parentPath(path) === item);
  const left = contents === undefined ? [] : [...filePathsBelow(contents)];
  await takeOut(run, [...moved, ...left], bucketPath);
  if (contents !== undefined)
    for (const { path } of foldersBelow(contents)) run.transaction.removeFolder(path);
}

/** In the bucket, under the name of the folder they lay in. */
async function keepWords(run: WriteRun, folder: VaultPath, bytes: Buffer): Promise<void> {
  await placeBytes(run, bucketPath, `${nameOf(folder)}.md`, bytes);
}
