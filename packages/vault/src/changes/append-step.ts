import { decodeText } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, fileChange, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { insertText } from './insert-text.ts';
import type { MergedChange } from './merge-change.ts';

/** Text to add to a file, wherever its top or bottom is by then; `isLog`: see `insertText`. */
export type Addition = { text: string; position: 'top' | 'bottom'; isLog: boolean };

/** Additions that were staged one after another, with the bytes of the file before the first and after the last of them. */
export type StagedAdditions = { before: Buffer; after: Buffer; additions: readonly Addition[] };

/** Adds to a file whatever it contains. Unlike an edit, it is never merged with an equal insertion of another writer. */
export type AppendStep = { kind: 'append'; path: VaultPath; additions: readonly Addition[] };

/** A change of a file as a transaction stages it. */
export type WantedFile = FileChange & {
  /** Has the last word on the bytes of a file, once they are merged with what it is at present. */
  finish?: (after: Buffer, present: Buffer | null) => Buffer;
  /** Where a file that is moved comes from. */
  from?: VaultPath | undefined;
  additions?: readonly StagedAdditions[] | undefined;
};

export type MergeStep = FileChange | AppendStep;

/** Adds one more addition, which turned `before` into `after`. */
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
 * A staged change as the steps that apply it to a file that another writer has changed: additions are repeated, everything
 * between them is merged. One step when the file is still as it was.
 */
export function stepsOf(change: WantedFile, present: Buffer | null): MergeStep[] {
  const { additions: staged = [] } = change;
  if (staged.length === 0 || isEqual(present, beforeOf(change))) return [change];
  const { path, mode } = change;
  const between = (before: Buffer | null, after: Buffer | null): MergeStep[] => {
    const edit = isEqual(before, after) ? null : fileChange(path, before, after, mode);
    return edit === null ? [] : [edit];
  };
  let last = beforeOf(change);
  const steps = staged.flatMap(({ before, after, additions }): MergeStep[] => {
    const edits = between(last, before);
    last = after;
    return [...edits, { kind: 'append', path, additions }];
  });
  return [...steps, ...between(last, afterOf(change))];
}

export function applyAppend({ path, additions }: AppendStep, present: Buffer | null): MergedChange {
  const refuse = (reason: string): MergedChange => ({ ok: false, conflict: { path, reason, conflicts: [] } });
  if (present === null) return refuse('it was deleted meanwhile');
  const decoded = decodeText(present);
  if (decoded.kind !== 'text') return refuse('it was changed meanwhile and is not text any more');
  const text = additions.reduce(
    (before, { text: piece, position, isLog }) => insertText(before, piece, position, isLog).text,
    decoded.text,
  );
  return { ok: true, after: Buffer.from(text) };
}
