import {
  extractBody,
  decodeText,
  findStatus,
  fileKindOf,
  baseName,
  replaceStatus,
  copyStamps,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import { mergeLines } from './merge-lines.ts';
import type { Conflict, ConflictStrategy } from './merge-lines.ts';

/** A file to which a change cannot be applied because of its current content. */
export type FileConflict = { path: VaultPath; reason: string; conflicts: Conflict[] };

export type MergeChangeResult = { ok: true; after: Buffer | null } | { ok: false; conflict: FileConflict };

/** `keepsBothInsertions` is true for a changelog: see `mergeLines`. */
export type MergeOptions = { keepsBothInsertions: boolean; rule?: ConflictStrategy | undefined };

/** Merges a change into the current content; null means no file. */
export function mergeChange(
  change: FileChange,
  current: Buffer | null,
  { keepsBothInsertions, rule: requestedStrategy = 'fail' }: MergeOptions,
): MergeChangeResult {
  const { path } = change;
  const isMarkdown = fileKindOf(baseName(path)) === 'markdown';
  // Keeping both insertions leaves a note valid markdown, but may break other formats such as JSON.
  const rule = requestedStrategy === 'union' && !isMarkdown ? 'fail' : requestedStrategy;
  const [before, after] = [contentBefore(change), contentAfter(change)];
  if (contentEquals(current, before) || contentEquals(current, after)) return { ok: true, after };
  const refuse = (reason: string, conflicts: Conflict[] = []): MergeChangeResult => ({
    ok: false,
    conflict: { path, reason, conflicts },
  });
  const whole = (reason: string): MergeChangeResult => {
    const decided = resolveWholeFile(rule, current, after);
    return decided === undefined ? refuse(reason) : { ok: true, after: decided };
  };
  if (current === null) return whole('it was deleted in the meantime');
  if (after === null)
    return isMarkdown && before !== null && differsOnlyInStamps(before, current)
      ? { ok: true, after }
      : whole('it was changed in the meantime, so it was not deleted');
  if (before === null && rule !== 'both' && rule !== 'union')
    return whole('a file with this name already exists');
  const texts = [before ?? Buffer.alloc(0), after, current].map(decodeText);
  if (!texts.every((text) => text.kind === 'text'))
    return whole('it was changed in the meantime and is not text, so it cannot be merged');
  const [base = '', incoming = '', now = ''] = texts.map(({ text }) => text);
  if (before === null) return { ok: true, after: Buffer.from(concatFiles(now, incoming, isMarkdown)) };
  const withKeptLines = isMarkdown ? createStampNormalizer(now, base) : (text: string) => text;
  const merged = mergeLines(withKeptLines(base), withKeptLines(incoming), now, keepsBothInsertions, rule);
  return merged.ok
    ? { ok: true, after: Buffer.from(merged.text) }
    : refuse(
        merged.isApproximate
          ? 'it was changed in the meantime, too much to identify the lines in conflict'
          : 'the same lines were changed in the meantime',
        merged.conflicts,
      );
}

/** Resolves a file that exists on one side only or is not text; undefined when the strategy does not resolve it. */
function resolveWholeFile(
  rule: ConflictStrategy,
  current: Buffer | null,
  after: Buffer | null,
): Buffer | null | undefined {
  if (rule === 'keep') return current;
  if (rule === 'replace') return after;
  return rule === 'both' && (current === null || after === null) ? (current ?? after) : undefined;
}

/**
 * Joins two files with the same name: the second goes below the first, without its frontmatter, unless their texts are
 * equal.
 */
function concatFiles(first: string, second: string, isMarkdown: boolean): string {
  const [had, more] = isMarkdown ? [extractBody(first), extractBody(second)] : [first, second];
  if (had.trim() === more.trim()) return first;
  return `${first}${first.endsWith('\n') ? '' : '\n'}\n${more.replace(/^\s*\n/, '')}`;
}

/** Whether only stamps were changed since, so that deleting the file loses no text. */
function differsOnlyInStamps(before: Buffer, current: Buffer): boolean {
  const [base, now] = [decodeText(before), decodeText(current)];
  return (
    base.kind === 'text' &&
    now.kind === 'text' &&
    createStampNormalizer(now.text, base.text)(base.text) === now.text
  );
}

/**
 * Copies the stamps and status of the current file: they differ on every side and are updated after the merge, so they must
 * not cause conflicts.
 */
function createStampNormalizer(now: string, base: string): (text: string) => string {
  const status = findStatus(now) ?? findStatus(base);
  return (text) => copyStamps(now, status === null ? text : replaceStatus(text, status));
}
