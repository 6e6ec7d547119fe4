import { closeSync } from 'node:fs';
import { openPath, maxTextBytes, readPrefixSync, formatPath } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { GitHistory } from './git-history.ts';
import { findExternalMoves } from './find-moves.ts';
import { hashBlob } from './git-objects.ts';
import type { ExternalFileEdit } from './journal-entry.ts';

/** A file that differs from history, with its blob ids in history and on disk; null means that there is no file. */
export type ExternalEdit = {
  path: VaultPath;
  before: string | null;
  after: string | null;
  size: number;
  wasSynced: boolean;
};

/** The maximum size of one change or commit, in bytes. */
export const maxChangeBytes = 64_000_000;
/** How long an emptied file is treated as one that is about to be filled, in milliseconds. */
const emptyFileGraceMs = 10 * 60_000;
const emptyBlob = hashBlob(Buffer.alloc(0));
/** The number of files read before yielding to the event loop. */
const batchSize = 200;

/** Compares these files with history, which must already contain all journaled changes of these files. */
export async function compareWithHistory(
  git: GitHistory,
  root: VaultRoot,
  paths: readonly VaultPath[],
  { now, check }: { now: number; check: () => void },
): Promise<{ edits: ExternalEdit[]; same: VaultPath[] }> {
  const edits: ExternalEdit[] = [];
  const same: VaultPath[] = [];
  for (let from = 0; from < paths.length; from += batchSize) {
    const some = paths.slice(from, from + batchSize);
    const known = await git.blobIds(some);
    check();
    for (const path of some) {
      const before = known.get(path) ?? null;
      const current = readCurrent(root, path);
      if (current === 'skipped') same.push(path);
      else {
        const after = current.bytes === null ? null : hashBlob(current.bytes);
        const isAwaited =
          after === emptyBlob && before !== null && now - current.changedAt < emptyFileGraceMs;
        if (after === before) same.push(path);
        else if (!isAwaited)
          edits.push({
            path,
            before,
            after,
            size: current.bytes?.length ?? 0,
            wasSynced: current.wasSynced,
          });
      }
    }
  }
  return { edits, same };
}

/**
 * Groups edits into changes: those made by a sync service, and those of each operation of another program. Moved files
 * belong to the latter, although they look synced because a move keeps the modification time. Deletions do not count
 * towards the size limit, so that all of them are in one change and can be undone together.
 */
export function groupEdits(edits: readonly ExternalEdit[]): ExternalEdit[][] {
  const gone = new Set(edits.flatMap(({ before, after }) => (after === null ? (before ?? []) : [])));
  const isArrival = (edit: ExternalEdit): boolean => edit.wasSynced && !gone.has(edit.after ?? '');
  return [
    ...splitByOperation(edits.filter((edit) => !isArrival(edit))).flatMap(splitBySize),
    ...splitBySize(edits.filter((edit) => isArrival(edit))),
  ];
}

/** More files than this are edited at the same time only by one operation, such as replacing a word everywhere. */
const maxSeparateEdits = 10;

/**
 * Edits of several notes are separate changes, each with its own undo. They form one change if there are many of them,
 * or if files were moved or deleted at the same time, because a move also changes the notes that link to the file.
 */
function splitByOperation(edits: readonly ExternalEdit[]): ExternalEdit[][] {
  const edited = edits.filter(({ before, after }) => before !== null && after !== null);
  if (edited.length > maxSeparateEdits || edits.some(({ after }) => after === null)) return [[...edits]];
  const created = edits.filter(({ before }) => before === null);
  return [...edited.map((edit) => [edit]), ...(created.length === 0 ? [] : [created])];
}

function splitBySize(edits: readonly ExternalEdit[]): ExternalEdit[][] {
  const groups: ExternalEdit[][] = [];
  let room = 0;
  for (const edit of edits.toSorted((a, b) => Number(b.after === null) - Number(a.after === null))) {
    if (edit.size > room || groups.length === 0) {
      groups.push([]);
      room = maxChangeBytes;
    }
    groups.at(-1)?.push(edit);
    room -= edit.size;
  }
  return groups;
}

/** Reads the current content of edited files; omits files that equal their version in history again. */
export function readEdits(
  root: VaultRoot,
  edits: readonly { path: VaultPath; before: string | null }[],
): ExternalFileEdit[] {
  return edits.flatMap(({ path, before }) => {
    const current = readCurrent(root, path);
    if (current === 'skipped') return [];
    const { bytes: after, wasSynced: isSynced } = current;
    return (after === null ? null : hashBlob(after)) === before
      ? []
      : [{ path, before, after, wasSynced: isSynced }];
  });
}

/** `changedAt` is the ctime of the file, in milliseconds. */
type Present = { bytes: Buffer | null; changedAt: number; wasSynced: boolean };

/** Reads the current content; skips anything that is not a regular file or is too large. */
export function readCurrent(root: VaultRoot, path: VaultPath): Present | 'skipped' {
  const none = { bytes: null, changedAt: 0, wasSynced: false };
  const found = openPath(root, path);
  if (found.kind === 'missing') return none;
  if (found.kind === 'refused') return 'skipped';
  try {
    if (found.kind === 'folder') return none;
    const { size, ctimeMs: changedAt } = found.stats;
    if (size > maxTextBytes) return 'skipped';
    return { bytes: readPrefixSync(found.fd, size), changedAt, wasSynced: wasSynced(found.stats) };
  } finally {
    closeSync(found.fd);
  }
}

/** The longest time between writing a temporary file and renaming it into place, in milliseconds. */
const renameSaveWindowMs = 2_000;

/** Whether a file was placed here some time after it was written, by a sync service or by a copy that keeps times. */
export function wasSynced({ mtimeMs, ctimeMs }: { mtimeMs: number; ctimeMs: number }): boolean {
  return ctimeMs - mtimeMs > renameSaveWindowMs;
}

/**
 * A mass deletion affects more than `massDeletionFiles` files, or at least `massDeletionMinFiles` files and the share
 * `massDeletionRatio` of the vault.
 */
const massDeletionFiles = 100;
const [massDeletionRatio, massDeletionMinFiles] = [1 / 3, 10];

/** The number of files that were deleted and not moved, if that is a mass deletion; null otherwise. */
export async function countMassDeletion(
  edits: readonly ExternalEdit[],
  countKnown: () => Promise<number>,
): Promise<number | null> {
  const keptBlobs = new Set(edits.map(({ after }) => after));
  const lost = edits.filter(({ before, after }) => after === null && !keptBlobs.has(before)).length;
  if (lost > massDeletionFiles) return lost;
  return lost >= massDeletionMinFiles && lost >= massDeletionRatio * (await countKnown()) ? lost : null;
}

/** A summary such as `edited vault/a.md`, `moved vault/a.md to vault/b.md` or `edited 3 files, deleted 1 file`. */
export function describeEdits(files: readonly ExternalFileEdit[]): string {
  const moves = findExternalMoves(files);
  const moved = new Set(moves.values());
  const descriptions: Record<string, string[]> = { edited: [], created: [], moved: [], deleted: [] };
  for (const { path, before, after } of files) {
    const from = moves.get(path);
    if (from !== undefined) descriptions['moved']?.push(`${formatPath(from)} to ${formatPath(path)}`);
    else if (after !== null) descriptions[before === null ? 'created' : 'edited']?.push(formatPath(path));
    else if (!moved.has(path)) descriptions['deleted']?.push(formatPath(path));
  }
  const parts = Object.entries(descriptions).filter(([, each]) => each.length > 0);
  const one = parts.flatMap(([kind, each]) => each.map((what) => `${kind} ${what}`));
  if (one.length === 1) return one.join('');
  return parts.map(([kind, { length }]) => `${kind} ${length} ${length === 1 ? 'file' : 'files'}`).join(', ');
}
