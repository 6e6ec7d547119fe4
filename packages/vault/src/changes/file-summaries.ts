import { diffLines, internLines } from '../contract/index.ts';
import { decodeText, computeRevision, splitLines, stripStamps } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, isFileChange } from './change.ts';
import type { Change } from './change.ts';
import { hashBlob } from './git-objects.ts';
import type { ExternalFileEdit } from './journal-entry.ts';

/** One side of a change: `id` identifies the content, `bytes` may be omitted. Null means no file. */
type Side = { id: string; bytes: Buffer | null } | null;

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

/** Summarizes the file changes of a transaction. */
export function summarizeChanges(changes: readonly Change[]): Map<VaultPath, FileSummary> {
  const files = changes.filter(isFileChange);
  const side = (bytes: Buffer | null) => bytes && { id: isMoving ? computeRevision(bytes) : '', bytes };
  const isMoving = files.some(({ kind }) => kind === 'create') && files.some(({ kind }) => kind === 'remove');
  const summaries = summarizeFiles(
    files.map((change) => ({
      path: change.path,
      before: side(contentBefore(change)),
      after: side(contentAfter(change)),
    })),
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
  );
}

/** Summarizes file changes, in the given order. */
function summarizeFiles(files: readonly { path: VaultPath; before: Side; after: Side }[]): FileSummary[] {
  const gone = new Map(
    files.flatMap(({ path, before, after }) =>
      before !== null && after === null ? [[before.id, path]] : [],
    ),
  );
  return files.map(({ before, after }) => {
    const kind = before === null ? 'created' : after === null ? 'deleted' : 'edited';
    const from = kind === 'created' && after !== null ? (gone.get(after.id) ?? null) : null;
    // If a deleted file was copied twice, only one copy counts as moved.
    if (from !== null && after !== null) gone.delete(after.id);
    return { kind, from, ...(from === null ? countLines(before, after) : { added: 0, removed: 0 }) };
  });
}

const uncounted = { added: null, removed: null };

/** Ignores stamps, which change with every edit. */
function countLines(before: Side, after: Side): Pick<FileSummary, 'added' | 'removed'> {
  const sides = [before, after].map((side) => (side === null ? Buffer.alloc(0) : side.bytes));
  if (sides.some((bytes) => bytes === null || bytes.length > maxCountedBytes)) return uncounted;
  const texts = sides.map((bytes) => decodeText(bytes ?? Buffer.alloc(0)));
  const [old = [], fresh = []] = texts.map((each) => (each.kind === 'text' ? linesOf(each.text) : []));
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

/** The lines of a note without its stamps. */
function linesOf(text: string): string[] {
  const lines = splitLines(text);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end === -1) return lines;
  const head = stripStamps(lines.slice(1, end).join('\n'));
  const [between, body] = [head === '' ? [] : ['---', ...head.split('\n'), '---'], lines.slice(end + 1)];
  return [...between, ...(between.length === 0 && body[0] === '' ? body.slice(1) : body)];
}
