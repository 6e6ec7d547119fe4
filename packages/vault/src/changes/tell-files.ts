import { compareLines, numberLines } from '../contract/index.ts';
import { decodeText, revisionOf, splitLines, withoutStamps } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { Change } from './change.ts';
import { blobIdOf } from './git-objects.ts';
import type { FoundFile } from './journal-entry.ts';

/** One side of a change: `id` is the same for the same bytes, which may be left out. Null stands for no file. */
type Side = { id: string; bytes: Buffer | null } | null;

/** What became of a file, without its words. Lines are null where they were not counted, as of pictures. */
export type FileTold = {
  kind: 'created' | 'edited' | 'deleted';
  /** Where it was before, if it was moved; that file is told of as deleted. */
  from: VaultPath | null;
  added: number | null;
  removed: number | null;
};

/** Longer ones are not counted: whoever writes waits for it. */
const mostCounted = 250_000;

/** Of a folder. */
export const untold = { kind: null, from: null, added: null, removed: null };

/** What a transaction does to each file. */
export function tellChanges(changes: readonly Change[]): Map<VaultPath, FileTold> {
  const files = changes.filter(isFileChange);
  const side = (bytes: Buffer | null) => bytes && { id: isMoving ? revisionOf(bytes) : '', bytes };
  const isMoving = files.some(({ kind }) => kind === 'create') && files.some(({ kind }) => kind === 'remove');
  const told = tellFiles(
    files.map((change) => ({
      path: change.path,
      before: side(beforeOf(change)),
      after: side(afterOf(change)),
    })),
  );
  return new Map(files.map(({ path }, index) => [path, told[index] as FileTold]));
}

/** The same of what was edited outside, in the order of these files. */
export function tellFound(files: readonly FoundFile[]): FileTold[] {
  return tellFiles(
    files.map(({ path, before, after, stood = null }) => ({
      path,
      before: before === null ? null : { id: before, bytes: stood },
      after: after && { id: blobIdOf(after), bytes: after },
    })),
  );
}

/** What became of these files, in their order. */
function tellFiles(files: readonly { path: VaultPath; before: Side; after: Side }[]): FileTold[] {
  const gone = new Map(
    files.flatMap(({ path, before, after }) =>
      before !== null && after === null ? [[before.id, path]] : [],
    ),
  );
  return files.map(({ before, after }) => {
    const kind = before === null ? 'created' : after === null ? 'deleted' : 'edited';
    const from = kind === 'created' && after !== null ? (gone.get(after.id) ?? null) : null;
    // Of two copies one was made by moving it.
    if (from !== null && after !== null) gone.delete(after.id);
    return { kind, from, ...(from === null ? countLines(before, after) : { added: 0, removed: 0 }) };
  });
}

const uncounted = { added: null, removed: null };

/** Without stamps, which change with everything. */
function countLines(before: Side, after: Side): Pick<FileTold, 'added' | 'removed'> {
  const sides = [before, after].map((side) => (side === null ? Buffer.alloc(0) : side.bytes));
  if (sides.some((bytes) => bytes === null || bytes.length > mostCounted)) return uncounted;
  const texts = sides.map((bytes) => decodeText(bytes ?? Buffer.alloc(0)));
  const [old = [], fresh = []] = texts.map((each) => (each.kind === 'text' ? linesOf(each.text) : []));
  if (texts.some(({ kind }) => kind !== 'text')) return uncounted;
  if (before === null) return { added: fresh.length, removed: 0 };
  if (after === null) return { added: 0, removed: old.length };
  const [oldNumbers = new Int32Array(), newNumbers = new Int32Array()] = numberLines(old, fresh);
  let [added, removed] = [0, 0];
  for (const edit of compareLines(oldNumbers, newNumbers).edits) {
    added += edit.new.end - edit.new.start;
    removed += edit.old.end - edit.old.start;
  }
  return { added, removed };
}

/** The lines of a note as a person knows it. */
function linesOf(text: string): string[] {
  const lines = splitLines(text);
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  if (end === -1) return lines;
  const head = withoutStamps(lines.slice(1, end).join('\n'));
  const [between, body] = [head === '' ? [] : ['---', ...head.split('\n'), '---'], lines.slice(end + 1)];
  return [...between, ...(between.length === 0 && body[0] === '' ? body.slice(1) : body)];
}
