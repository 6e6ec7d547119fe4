import { decodeText } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, createFileChange, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import { insertText } from './insert-text.ts';
import type { MergeChangeResult } from './merge-change.ts';

/** Text to insert at the top or bottom of the file as it is when the change is applied. `isLog`: see `insertText`. */
export type Addition = { text: string; position: 'top' | 'bottom'; isLog: boolean };

/** Additions staged one after another, with the bytes of the file before the first and after the last of them. */
export type StagedAdditions = { before: Buffer; after: Buffer; additions: readonly Addition[] };

/**
 * Inserts text regardless of the current content. Unlike an edit, an insertion is never merged with an equal insertion
 * by another writer.
 */
export type AppendStep = { kind: 'append'; path: VaultPath; additions: readonly Addition[] };

/** A file change as a transaction stages it. */
export type RequestedFileChange = FileChange & {
  /** Transforms the bytes after they were merged with the file on disk, for example to update stamps. */
  finalize?: (merged: Buffer, current: Buffer | null) => Buffer;
  /** The old path of a moved file. */
  from?: VaultPath | undefined;
  additions?: readonly StagedAdditions[] | undefined;
};

export type MergeStep = FileChange | AppendStep;

/** Appends an addition that turned `before` into `after`. */
export function withAddition(
  staged: readonly StagedAdditions[],
  before: Buffer,
  after: Buffer,
  addition: Addition,
): StagedAdditions[] {
  const last = staged.at(-1);
  if (last === undefined || !last.after.equals(before))
    return [...staged, { before, after, additions: [addition] }];
  return [...staged.slice(0, -1), { before: last.before, after, additions: [...last.additions, addition] }];
}

/**
 * Splits a staged change into the steps that apply it to a file that another writer has changed: additions are
 * repeated, and the edits between them are merged. Returns one step when the file is unchanged.
 */
export function stepsOf(change: RequestedFileChange, present: Buffer | null): MergeStep[] {
  const { additions: staged = [] } = change;
  if (staged.length === 0 || contentEquals(present, contentBefore(change))) return [change];
  const { path, mode } = change;
  const between = (before: Buffer | null, after: Buffer | null): MergeStep[] => {
    const edit = contentEquals(before, after) ? null : createFileChange(path, before, after, mode);
    return edit === null ? [] : [edit];
  };
  let last = contentBefore(change);
  const steps = staged.flatMap(({ before, after, additions }): MergeStep[] => {
    const edits = between(last, before);
    last = after;
    return [...edits, { kind: 'append', path, additions }];
  });
  return [...steps, ...between(last, contentAfter(change))];
}

export function applyAppend({ path, additions }: AppendStep, present: Buffer | null): MergeChangeResult {
  const refuse = (reason: string): MergeChangeResult => ({
    ok: false,
    conflict: { path, reason, conflicts: [] },
  });
  if (present === null) return refuse('it was deleted in the meantime');
  const decoded = decodeText(present);
  if (decoded.kind !== 'text') return refuse('it was changed in the meantime and is no longer text');
  const text = additions.reduce(
    (before, { text: piece, position, isLog }) => insertText(before, piece, position, isLog).text,
    decoded.text,
  );
  return { ok: true, after: Buffer.from(text) };
}
