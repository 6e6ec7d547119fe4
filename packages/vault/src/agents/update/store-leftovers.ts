import type { WriteRun } from '../../tools/index.ts';
import {
  extractBody,
  bucketPath,
  childPath,
  findFolder,
  walkFolders,
  fileKindOf,
  baseName,
  originalName,
  readOriginal,
  parentPath,
  reviewName,
  splitLines,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { IsRecorded } from './check-filed.ts';
import { listItemFiles } from './inbox-item.ts';
import type { StagedInput } from './stage-input.ts';
import { moveAttachments } from './move-attachments.ts';
import { readBytes, stageBytes, moveInto } from './staged-files.ts';
import { isCoveredBy } from '../../review/index.ts';

type LeftoverOptions = {
  answered: VaultPath | null;
  /** The whole text to file. */
  inputText: string;
  isRecorded: IsRecorded;
  /** The bucket that gets the input; that of the vault if omitted. */
  bucket?: VaultPath | undefined;
};

/**
 * If the update asks a question, the input is kept next to it. Otherwise input files that the agent did not move go
 * to the bucket, and so does the text unless it was recorded. Returns the inbox item, if there is one.
 */
export async function storeLeftovers(
  run: WriteRun,
  incoming: StagedInput,
  { answered, inputText, isRecorded, bucket = bucketPath }: LeftoverOptions,
): Promise<VaultPath | null> {
  const { folder, files, original } = incoming;
  run.transaction.unstage([folder]);
  const item = findReviewItem(run, answered);
  for (const [path, bytes] of files) {
    const isFiled = isNote(path) && isRecorded(path === original ? inputText : extractBody(bytes.toString()));
    const isOriginalKept = readOriginal(bytes.toString()) !== null;
    if (item !== null || !isFiled || isOriginalKept) await restoreFile(run, path, bytes);
  }
  if (item === null && original !== null) {
    const bytes = files.get(original);
    // An original that the agent moved stays where it is.
    if (run.transaction.movedTo(original) === undefined) run.transaction.unstage([original]);
    if (bytes !== undefined && !isRecorded(inputText)) await storeOriginal(run, folder, bytes, bucket);
  }
  if (item !== folder) await moveOutOfInbox(run, [...files.keys()], item ?? bucket);
  return item;
}

function isNote(path: VaultPath): boolean {
  return fileKindOf(baseName(path)) === 'markdown';
}

/** Restores a file that the agent deleted or overwrote; files that it moved or only edited stay that way. */
async function restoreFile(run: WriteRun, path: VaultPath, bytes: Buffer): Promise<void> {
  const { transaction } = run;
  if (transaction.movedTo(path) !== undefined) return;
  const present = await readBytes(run, path);
  if (present !== null && isCoveredBy(extractBody(bytes.toString()), present.toString())) return;
  transaction.unstage([path]);
  transaction.create(path, bytes);
}

/** Moves the attachments of moved notes next to those notes, and all remaining files to the target folder. */
async function moveOutOfInbox(run: WriteRun, files: readonly VaultPath[], target: VaultPath): Promise<void> {
  const notes = files.filter((path) => fileKindOf(baseName(path)) === 'markdown');
  await moveAttachments(run, notes);
  for (const path of [...notes, ...files])
    if (await moveInto(run, target, path)) await moveAttachments(run, [path]);
}

/**
 * Returns the item with a new question, or the answered item if its review was rewritten; the agent may not ask in
 * other items.
 */
export function findReviewItem(
  { transaction, view }: WriteRun,
  answered: VaultPath | null,
): VaultPath | null {
  const { questionItemName } = view.layout();
  for (const [path, after] of transaction.staged()) {
    const item = parentPath(path);
    if (after === null || questionItemName(path) === null) continue;
    if (transaction.before(path) === null || item === answered) return item;
  }
  return null;
}

type CloseItemOptions = { isRecorded: IsRecorded; isDropped: boolean };

/**
 * Removes an answered inbox item: deletes the question, moves its text to the bucket unless the text was recorded or
 * dropped, and moves all other files out of the inbox.
 */
export async function closeInboxItem(
  run: WriteRun,
  item: VaultPath,
  { isRecorded, isDropped }: CloseItemOptions,
): Promise<void> {
  const original = childPath(item, originalName);
  // The content before the agent changed it.
  const bytes = run.transaction.before(original) ?? (await readBytes(run, original));
  const isNeeded = bytes !== null && !isDropped && !isRecorded(extractBody(bytes.toString()));
  if (isNeeded && !(await isKeptElsewhere(run, original, bytes)))
    await storeOriginal(run, item, bytes, bucketPath);
  if (!isDropped) await restoreItemFiles(run, item, [original], isRecorded);
  const folder = findFolder(await run.view.contents(item), item);
  for (const path of [childPath(item, reviewName), original]) {
    const present = await readBytes(run, path);
    if (present !== null) run.transaction.remove(path, present);
  }
  // Files that the agent moved are included, because their attachments follow them.
  const moved = [...run.transaction.staged().keys()].filter((path) => path.startsWith(`${item}/`));
  await moveOutOfInbox(run, [...moved, ...(await listItemFiles(run, item))], bucketPath);
  if (folder !== undefined) for (const { path } of walkFolders(folder)) run.transaction.removeFolder(path);
}

/** Restores the files of an inbox item whose question stays open. */
export async function keepInboxItem(run: WriteRun, item: VaultPath): Promise<void> {
  await restoreItemFiles(run, item, [], () => false);
}

/**
 * Restores the files of an inbox item that the agent deleted or overwrote, except its question, these files, and notes whose
 * text was recorded.
 */
async function restoreItemFiles(
  run: WriteRun,
  item: VaultPath,
  others: readonly VaultPath[],
  isRecorded: IsRecorded,
): Promise<void> {
  const { transaction, view } = run;
  for (const path of transaction.staged().keys()) {
    const bytes = transaction.before(path);
    if (bytes == null || !path.startsWith(`${item}/`)) continue;
    if (others.includes(path) || view.layout().questionItemName(path) !== null) continue;
    const isFiled = isNote(path) && isRecorded(extractBody(bytes.toString()));
    if (isFiled || (await isKeptElsewhere(run, path, bytes)) || (await hasLinesOf(run, path, bytes)))
      continue;
    // The agent's version of a file that it moved stays where it is.
    if (transaction.movedTo(path) !== undefined) await stageBytes(run, bucketPath, baseName(path), bytes);
    else transaction.unstage([path, ...foldersBetween(item, path)]);
  }
}

/** The folders that contain a file, up to a folder above it. */
function foldersBetween(top: VaultPath, path: VaultPath): VaultPath[] {
  const folder = parentPath(path);
  return folder === top ? [top] : [folder, ...foldersBetween(top, folder)];
}

/** Whether the agent moved a file and kept its content. */
async function isKeptElsewhere(run: WriteRun, path: VaultPath, bytes: Buffer): Promise<boolean> {
  const target = run.transaction.movedTo(path);
  return target !== undefined && hasLinesOf(run, target, bytes);
}

/** Whether a file has all lines of a text, except for links that were updated, or the same bytes if it is no note. */
async function hasLinesOf(run: WriteRun, path: VaultPath, bytes: Buffer): Promise<boolean> {
  const present = await readBytes(run, path);
  if (present === null || !isNote(path)) return present?.equals(bytes) ?? false;
  const lines = new Set(splitLines(withoutLinkFolders(present.toString())));
  return splitLines(withoutLinkFolders(extractBody(bytes.toString()))).every((line) => lines.has(line));
}

/** Removes the folders from links to files, which are rewritten when a file moves. */
function withoutLinkFolders(text: string): string {
  return text.replaceAll(/(\]\(<?|\[\[)(?![a-z][\w+.-]*:)[^()[\]<>|#\n]*\//gi, '$1');
}

/** Stores the original of an inbox item in a bucket, under the name of the item. */
async function storeOriginal(
  run: WriteRun,
  folder: VaultPath,
  bytes: Buffer,
  bucket: VaultPath,
): Promise<void> {
  await stageBytes(run, bucket, `${baseName(folder)}.md`, bytes);
}
