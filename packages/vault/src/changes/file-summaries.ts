import { diffLines, internLines } from '../contract/index.ts';
import { decodeText, computeRevision } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, isFileChange } from './change.ts';
import type { Change } from './change.ts';
import { findMoves, linesWithoutStamps } from './find-moves.ts';
import type { FileSides, Side } from './find-moves.ts';
import { hashBlob } from './git-objects.ts';
import type { ExternalFileEdit } from './journal-entry.ts';

/** A summary of a file change, without its text. Line counts are null where lines were not counted, as for images. */
export type FileSummary = {
  kind: 'created' | 'edited' | 'deleted';
  /** The old path of a moved file. The old path has its own summary, with the kind `deleted`. */
  from: VaultPath | null;
  added: number | null;
  removed: number | null;
};

/** In bytes. The lines of larger files are not counted, because the writer waits for the count. */
const maxCountedBytes = 250_000;

/** The summary of a folder. */
export const emptySummary = { kind: null, from: null, added: null, removed: null };

/** Summarizes the file changes of a transaction. `moves` are those that it was asked to make, by their new path. */
export function summarizeChanges(
  changes: readonly Change[],
  moves: ReadonlyMap<VaultPath, VaultPath>,
): Map<VaultPath, FileSummary> {
  const files = changes.filter(isFileChange);
  const side = (bytes: Buffer | null) => bytes && { id: isMoving ? computeRevision(bytes) : '', bytes };
  const isMoving = files.some(({ kind }) => kind === 'create') && files.some(({ kind }) => kind === 'remove');
  const summaries = summarizeFiles(
    files.map((change) => ({
      path: change.path,
      before: side(contentBefore(change)),
      after: side(contentAfter(change)),
    })),
    moves,
  );
  return new Map(files.map(({ path }, index) => [path, summaries[index] as FileSummary]));
}

/** Summarizes external edits, in the given order. */
export function summarizeExternalEdits(files: readonly ExternalFileEdit[]): FileSummary[] {
  return summarizeFiles(
    files.map(({ path, before, after, previousContent = null }) => ({
      path,
      before: before === null ? null : { id: before, bytes: previousContent },
      after: after && { id: hashBlob(after), bytes: after },
    })),
    new Map(),
  );
}

/** Summarizes file changes, in the given order. */
function summarizeFiles(
  files: readonly FileSides[],
  known: ReadonlyMap<VaultPath, VaultPath>,
): FileSummary[] {
  const moves = findMoves(files, known);
  const beforeMove = new Map(files.map(({ path, before }) => [path, before]));
  return files.map(({ path, before, after }) => {
    const kind = before === null ? 'created' : after === null ? 'deleted' : 'edited';
    const from = moves.get(path) ?? null;
    const old = from === null ? before : (beforeMove.get(from) ?? null);
    const isSame = old !== null && after !== null && from !== null && old.id === after.id;
    return { kind, from, ...(isSame ? { added: 0, removed: 0 } : countLines(old, after)) };
  });
}

const uncounted = { added: null, removed: null };

/** Ignores stamps, which change with every edit. */
function countLines(before: Side, after: Side): Pick<FileSummary, 'added' | 'removed'> {
  const sides = [before, after].map((side) => (side === null ? Buffer.alloc(0) : side.bytes));
  if (sides.some((bytes) => bytes === null || bytes.length > maxCountedBytes)) return uncounted;
  const texts = sides.map((bytes) => decodeText(bytes ?? Buffer.alloc(0)));
  const [old = [], fresh = []] = texts.map((each) =>
    each.kind === 'text' ? linesWithoutStamps(each.text) : [],
  );
  if (texts.some(({ kind }) => kind !== 'text')) return uncounted;
  if (before === null) return { added: fresh.length, removed: 0 };
  if (after === null) return { added: 0, removed: old.length };
  const [oldNumbers = new Int32Array(), newNumbers = new Int32Array()] = internLines(old, fresh);
  let [added, removed] = [0, 0];
  for (const edit of diffLines(oldNumbers, newNumbers).edits) {
    added += edit.new.end - edit.new.start;
    removed += edit.old.end - edit.old.start;
  }
  return { added, removed };
}
