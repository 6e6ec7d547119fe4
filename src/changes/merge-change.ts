import {
  decodeText,
  findStatus,
  isChangelog,
  kindOf,
  nameOf,
  replaceStatus,
  withStampsOf,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { mergeLines } from './merge.ts';
import type { Conflict } from './merge.ts';

/** A file that cannot become what was wanted, because of what it is now. */
export type FileConflict = { path: VaultPath; reason: string; conflicts: Conflict[] };

type MergedChange = { ok: true; after: Buffer | null } | { ok: false; conflict: FileConflict };

/** What a file has to become so that it has the change in it, whatever it is at present; null for no file. */
export function mergeChange(change: FileChange, present: Buffer | null): MergedChange {
  const { path } = change;
  const [before, after] = [beforeOf(change), afterOf(change)];
  if (isEqual(present, before) || isEqual(present, after)) return { ok: true, after };
  const refuse = (reason: string, conflicts: Conflict[] = []): MergedChange => ({
    ok: false,
    conflict: { path, reason, conflicts },
  });
  if (present === null) return refuse('it was deleted meanwhile');
  if (before === null) return refuse('a file with this name exists already');
  if (after === null) return refuse('it was changed meanwhile and is not deleted');
  const texts = [before, after, present].map(decodeText);
  if (!texts.every((text) => text.kind === 'text'))
    return refuse('it was changed meanwhile and is not text that could be merged');
  const [base = '', wanted = '', now = ''] = texts.map(({ text }) => text);
  const withKeptLines =
    kindOf(nameOf(path)) === 'markdown' ? keepingLinesOf(now, base) : (text: string) => text;
  const merged = mergeLines(withKeptLines(base), withKeptLines(wanted), now, isChangelog(path));
  return merged.ok
    ? { ok: true, after: Buffer.from(merged.text) }
    : refuse('the same lines were changed meanwhile', merged.conflicts);
}

/** Stamps and the status differ on every side and are set anew, so they must not be what a merge fails on. */
function keepingLinesOf(now: string, base: string): (text: string) => string {
  const status = findStatus(now) ?? findStatus(base);
  return (text) => withStampsOf(now, status === null ? text : replaceStatus(text, status));
}
