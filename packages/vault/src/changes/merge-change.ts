import {
  bodyOf,
  decodeText,
  findStatus,
  kindOf,
  nameOf,
  replaceStatus,
  withStampsOf,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { mergeLines } from './merge.ts';
import type { Conflict, ConflictRule } from './merge.ts';

/** A file that cannot become what was wanted, because of what it is now. */
export type FileConflict = { path: VaultPath; reason: string; conflicts: Conflict[] };

export type MergedChange = { ok: true; after: Buffer | null } | { ok: false; conflict: FileConflict };

/** `stacks` for a changelog: see `mergeLines`. */
export type MergeRules = { stacks: boolean; rule?: ConflictRule | undefined };

/** What a file has to become so that it has the change in it, whatever it is at present; null for no file. */
export function mergeChange(
  change: FileChange,
  present: Buffer | null,
  { stacks, rule: asked = 'refuse' }: MergeRules,
): MergedChange {
  const { path } = change;
  const isMarkdown = kindOf(nameOf(path)) === 'markdown';
  // What is added to a note leaves it a note; two pieces of JSON or of a table may be none.
  const rule = asked === 'add' && !isMarkdown ? 'refuse' : asked;
  const [before, after] = [beforeOf(change), afterOf(change)];
  if (isEqual(present, before) || isEqual(present, after)) return { ok: true, after };
  const refuse = (reason: string, conflicts: Conflict[] = []): MergedChange => ({
    ok: false,
    conflict: { path, reason, conflicts },
  });
  const whole = (reason: string): MergedChange => {
    const decided = decideWhole(rule, present, after);
    return decided === undefined ? refuse(reason) : { ok: true, after: decided };
  };
  if (present === null) return whole('it was deleted meanwhile');
  if (after === null)
    return isMarkdown && before !== null && isOnlyStamped(before, present)
      ? { ok: true, after }
      : whole('it was changed meanwhile and is not deleted');
  if (before === null && rule !== 'both' && rule !== 'add')
    return whole('a file with this name exists already');
  const texts = [before ?? Buffer.alloc(0), after, present].map(decodeText);
  if (!texts.every((text) => text.kind === 'text'))
    return whole('it was changed meanwhile and is not text that could be merged');
  const [base = '', wanted = '', now = ''] = texts.map(({ text }) => text);
  if (before === null) return { ok: true, after: Buffer.from(inOneFile(now, wanted, isMarkdown)) };
  const withKeptLines = isMarkdown ? keepingLinesOf(now, base) : (text: string) => text;
  const merged = mergeLines(withKeptLines(base), withKeptLines(wanted), now, stacks, rule);
  return merged.ok
    ? { ok: true, after: Buffer.from(merged.text) }
    : refuse(
        merged.isRough
          ? 'it was changed meanwhile, too much to tell exactly which lines'
          : 'the same lines were changed meanwhile',
        merged.conflicts,
      );
}

/** What becomes of a file that only one side has, or that is no text; undefined when the rule leaves that to somebody. */
function decideWhole(
  rule: ConflictRule,
  present: Buffer | null,
  after: Buffer | null,
): Buffer | null | undefined {
  if (rule === 'keep') return present;
  if (rule === 'replace') return after;
  return rule === 'both' && (present === null || after === null) ? (present ?? after) : undefined;
}

/** Two files under one name: the second below the first, without its frontmatter, unless they say the same. */
function inOneFile(first: string, second: string, isMarkdown: boolean): string {
  const [had, more] = isMarkdown ? [bodyOf(first), bodyOf(second)] : [first, second];
  if (had.trim() === more.trim()) return first;
  return `${first}${first.endsWith('\n') ? '' : '\n'}\n${more.replace(/^\s*\n/, '')}`;
}

/** Whether what came since is nothing but stamps: no words are lost with those. */
function isOnlyStamped(before: Buffer, present: Buffer): boolean {
  const [base, now] = [decodeText(before), decodeText(present)];
  return (
    base.kind === 'text' && now.kind === 'text' && keepingLinesOf(now.text, base.text)(base.text) === now.text
  );
}

/** Stamps and the status differ on every side and are set anew, so they must not be what a merge fails on. */
function keepingLinesOf(now: string, base: string): (text: string) => string {
  const status = findStatus(now) ?? findStatus(base);
  return (text) => withStampsOf(now, status === null ? text : replaceStatus(text, status));
}
