import { childPath, findFile, walkFiles, createYielder, treePath } from '../vault/index.ts';
import type { Catalogue, FileEntry, FolderEntry, VaultPath } from '../vault/index.ts';
import type { FileStateStore, FileState } from './file-state-store.ts';

/** Maximum time for which a comparison blocks the event loop, in milliseconds. */
const maxBlockMs = 15;

/** A file that differs from the state that upkeep last saved; `entry` is null if the file was deleted. */
export type FileDifference = { path: VaultPath; entry: FileEntry | null };

/**
 * Finds every file of the vault that differs from its saved state, and every deleted file that is in history. Files
 * with unchanged size and times are not examined further.
 */
export async function findAllDifferences(
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: FileStateStore,
  recorded: readonly VaultPath[],
): Promise<FileDifference[]> {
  const differences: FileDifference[] = [];
  const present = new Set<VaultPath>();
  const pause = createYielder(maxBlockMs);
  await forEachFile(contents, pause, (path, entry) => {
    present.add(path);
    if (isDifferent(path, entry, catalogue, memory)) differences.push({ path, entry });
  });
  // A file may have been renamed during a pause, so it is looked up again.
  for (const path of new Set([...memory.files().keys(), ...recorded.filter(isUserFile)]))
    if (!present.has(path) && findFile(contents, path) === undefined && !isKnownDeleted(path, memory))
      differences.push({ path, entry: null });
  return differences;
}

/** Like `findAllDifferences`, but only for the given paths. */
export function findDifferences(
  paths: Iterable<VaultPath>,
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: FileStateStore,
): FileDifference[] {
  return [...paths].filter(isUserFile).flatMap((path): FileDifference[] => {
    const entry = findFile(contents, path);
    if (entry === undefined) return isKnownDeleted(path, memory) ? [] : [{ path, entry: null }];
    return isDifferent(path, entry, catalogue, memory) ? [{ path, entry }] : [];
  });
}

/** Saves the current state of every file without reporting a change; the history recorder adds the files separately. */
export async function saveAllStates(
  contents: FolderEntry,
  catalogue: Catalogue,
  memory: FileStateStore,
): Promise<void> {
  const pause = createYielder(maxBlockMs);
  const save = async (): Promise<void> => {
    memory.flush();
    await pause();
  };
  await forEachFile(contents, save, (path, entry) =>
    memory.put(path, createFileState(path, entry, catalogue, true)),
  );
}

/** The current state of a file according to the catalogue. */
export function createFileState(
  path: VaultPath,
  entry: FileEntry,
  catalogue: Catalogue,
  isRecorded: boolean,
): FileState {
  const { size, mtime, ctime, updated } = entry;
  const revision = catalogue.cachedRecord(path)?.revision ?? null;
  return { revision, size, mtime, ctime, updated, isRecorded, isGone: false };
}

/**
 * Whether the saved state of a file says that it was deleted. False for a file without a saved state: it may have been
 * written by Keepsake and deleted since, so that only history contains it.
 */
function isKnownDeleted(path: VaultPath, memory: FileStateStore): boolean {
  return memory.files().get(path)?.isGone === true;
}

function isDifferent(
  path: VaultPath,
  entry: FileEntry,
  catalogue: Catalogue,
  memory: FileStateStore,
): boolean {
  const seen = memory.files().get(path);
  if (seen === undefined) return true;
  const isSettled = entry.ctime !== null && entry.ctime === seen.ctime && !seen.isGone;
  if (isSettled && entry.mtime === seen.mtime && entry.size === seen.size) return false;
  const now = createFileState(path, entry, catalogue, seen.isRecorded);
  if (now.revision !== seen.revision) return true;
  // For files that are not text, only size and mtime are compared.
  if (now.revision === null && (entry.size !== seen.size || entry.mtime !== seen.mtime)) return true;
  if (entry.ctime !== null || seen.isGone) memory.put(path, { ...now, updated: seen.updated });
  return false;
}

/** Awaits `pause` between two folders. */
async function forEachFile(
  contents: FolderEntry,
  pause: () => Promise<void>,
  use: (path: VaultPath, entry: FileEntry) => void,
): Promise<void> {
  let last: VaultPath | null = null;
  for (const { folder, name, entry } of walkFiles(contents)) {
    if (last !== folder) await pause();
    last = folder;
    const path = childPath(folder, name);
    if (isUserFile(path)) use(path, entry);
  }
  await pause();
}

/** False for `tree.md`, which is generated from the other files. */
export function isUserFile(path: VaultPath): boolean {
  return path !== treePath;
}
