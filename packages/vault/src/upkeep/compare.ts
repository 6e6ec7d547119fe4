import { childPath, fileIn, filesBelow, pauseEvery, treePath } from '../vault/index.ts';
import type { Catalogue, FileEntry, FolderEntry, VaultPath } from '../vault/index.ts';
import type { Memory, Seen } from './memory.ts';

/** How long others may be kept waiting, in milliseconds. */
const slice = 15;

/** A file that is not what upkeep saw last; `entry` is null when it is gone. */
export type Difference = { path: VaultPath; entry: FileEntry | null };

/**
 * Every file of the vault that differs from what is remembered, and of those that history has what is gone. Files of the same size
 * and times are not looked up.
 */
export async function compareAll(
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: Memory,
  recorded: readonly VaultPath[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  const present = new Set<VaultPath>();
  const pause = pauseEvery(slice);
  await eachFile(contents, pause, (path, entry) => {
    present.add(path);
    if (isDifferent(path, entry, catalogue, memory)) differences.push({ path, entry });
  });
  // What was renamed while others had their turn is looked up once more.
  for (const path of new Set([...memory.files().keys(), ...recorded.filter(isKept)]))
    if (!present.has(path) && fileIn(contents, path) === undefined && !isKnownGone(path, memory))
      differences.push({ path, entry: null });
  return differences;
}

/** The same, for the files that are named. */
export function compareSome(
  paths: Iterable<VaultPath>,
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: Memory,
): Difference[] {
  return [...paths].filter(isKept).flatMap((path): Difference[] => {
    const entry = fileIn(contents, path);
    if (entry === undefined) return isKnownGone(path, memory) ? [] : [{ path, entry: null }];
    return isDifferent(path, entry, catalogue, memory) ? [{ path, entry }] : [];
  });
}

/** Takes everything as it is for seen; history takes it in by itself. */
export async function markAllSeen(
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: Memory,
): Promise<void> {
  const pause = pauseEvery(slice);
  const save = async (): Promise<void> => {
    memory.flush();
    await pause();
  };
  await eachFile(contents, save, (path, entry) => memory.put(path, seenNow(path, entry, catalogue, true)));
}

/** How a file is by the catalogue. */
export function seenNow(path: VaultPath, entry: FileEntry, catalogue: Catalogue, isRecorded: boolean): Seen {
  const { size, mtime, ctime, updated } = entry;
  const revision = catalogue.remembered(path)?.revision ?? null;
  return { revision, size, mtime, ctime, updated, isRecorded, isGone: false };
}

/** One that upkeep has never seen may have been written by Keepsake and deleted since: history knows. */
function isKnownGone(path: VaultPath, memory: Memory): boolean {
  return memory.files().get(path)?.isGone === true;
}

function isDifferent(path: VaultPath, entry: FileEntry, catalogue: Catalogue, memory: Memory): boolean {
  const seen = memory.files().get(path);
  if (seen === undefined) return true;
  const isSettled = entry.ctime !== null && entry.ctime === seen.ctime && !seen.isGone;
  if (isSettled && entry.mtime === seen.mtime && entry.size === seen.size) return false;
  const now = seenNow(path, entry, catalogue, seen.isRecorded);
  if (now.revision !== seen.revision) return true;
  // What is no text is known by size and date alone.
  if (now.revision === null && (entry.size !== seen.size || entry.mtime !== seen.mtime)) return true;
  if (entry.ctime !== null || seen.isGone) memory.put(path, { ...now, updated: seen.updated });
  return false;
}

/** `pause` is awaited between two folders. */
async function eachFile(
  contents: FolderEntry,
  pause: () => Promise<void>,
  use: (path: VaultPath, entry: FileEntry) => void,
): Promise<void> {
  let last: VaultPath | null = null;
  for (const { folder, name, entry } of filesBelow(contents)) {
    if (last !== folder) await pause();
    last = folder;
    const path = childPath(folder, name);
    if (isKept(path)) use(path, entry);
  }
  await pause();
}

/** Whether it is a file of the person's, and not made from the others. */
export function isKept(path: VaultPath): boolean {
  return path !== treePath;
}
