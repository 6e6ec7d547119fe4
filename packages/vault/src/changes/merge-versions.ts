import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import {
  fieldParts,
  findFrontmatter,
  findStatus,
  frontmatterValue,
  linesOfParts,
  listParts,
  replaceStatus,
  setTimes,
  splitLines,
  withStampsOf,
} from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { mergeParts } from './merge-parts.ts';
import { keepBothSides, refuseDisputes, uniteLines } from './unite-lines.ts';
import type { Dispute, ResolveDispute } from './unite-lines.ts';

/**
 * One note of two versions, and of the one that both come from if it is known: a changelog by days and entries, tasks by their headings, a
 * frontmatter by its fields, all else by lines. Null when both changed the same lines. Which version is given first makes no
 * difference, and no clock has a say: machines that merge the same versions write the same bytes.
 */
export function mergeVersions(
  path: VaultPath,
  base: string | null,
  one: string,
  other: string,
  layout: Layout,
): string | null {
  return merge(path, base, one, other, layout, { field: refuseDisputes, line: refuseDisputes });
}

/** A note with both versions of the lines that both sides changed, and these lines. */
export type KeptBoth = { text: string; disputes: Dispute[] };

/**
 * Merges as `mergeVersions`, but keeps both versions of disputed lines, one below the other; of a disputed field the one of the
 * version that was updated last, because a frontmatter has a field once. All other edits and deletions of both sides are kept.
 */
export function mergeKeepingBoth(
  path: VaultPath,
  base: string,
  one: string,
  other: string,
  layout: Layout,
): KeptBoth | null {
  const disputes: Dispute[] = [];
  const [a, b] = [one, other].toSorted() as [string, string];
  const isLater = (timesOf(a).updated ?? '') > (timesOf(b).updated ?? '');
  const noting =
    (resolve: (dispute: Dispute) => string[]): ResolveDispute =>
    (dispute) => {
      disputes.push(dispute);
      return resolve(dispute);
    };
  const field = noting((dispute) => (isLater ? dispute.a : dispute.b));
  const text = merge(path, base, a, b, layout, { field, line: noting(keepBothSides) });
  return text === null ? null : { text, disputes };
}

function merge(
  path: VaultPath,
  base: string | null,
  one: string,
  other: string,
  layout: Layout,
  resolve: { field: ResolveDispute; line: ResolveDispute },
): string | null {
  const [a, b] = [one, other].toSorted() as [string, string];
  if (a === b) return a;
  const end = a.includes('\r\n') && b.includes('\r\n') ? '\r\n' : '\n';
  const stamped = timesOf(a).updated === null ? b : a;
  const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  // Every machine sets the status of the overview: it is nothing that a merge may fail on.
  const status = findStatus(plain((timesOf(a).updated ?? '') > (timesOf(b).updated ?? '') ? a : b));
  const alike = (text: string): string =>
    withStampsOf(stamped, status === null ? plain(text) : replaceStatus(plain(text), status));
  const [mine, theirs, from] = [a, b, base].map((text) =>
    text === null ? null : takeApart(alike(text)),
  ) as [Apart, Apart, Apart | null];
  const fields = mergeParts(
    from && fieldParts(from.yaml),
    fieldParts(mine.yaml),
    fieldParts(theirs.yaml),
    false,
    resolve.field,
  );
  const body = mergeBodies(levelsOf(path, layout), from?.body ?? null, mine.body, theirs.body, resolve.line);
  if (fields === null || body === null) return null;
  const top = fields.length === 0 ? [] : ['---', ...linesOfParts(fields), '---'];
  const space = top.length === 0 ? 0 : Math.max(mine.space, theirs.space);
  const text = [...top, ...Array<string>(space).fill(''), ...body].map((line) => line + end).join('');
  const mark = a.startsWith('\ufeff') && b.startsWith('\ufeff') ? '\ufeff' : '';
  return withTimesOf(mark + text, timesOf(a), timesOf(b));
}

type Apart = { yaml: string; space: number; body: string };

/** `space` are the blank lines between the frontmatter and what follows. */
function takeApart(text: string): Apart {
  const found = findFrontmatter(text);
  const rest = text.slice(found?.bodyStart ?? 0);
  const lines = splitLines(rest);
  const first = lines.findIndex((line) => line.trim() !== '');
  const space = first < 0 ? lines.length : first;
  const yaml = found === null ? '' : text.slice(found.yamlStart, found.yamlEnd);
  return { yaml, space, body: lines.slice(space).join('\n') };
}

/** Of the headings that parts begin with; null for what is no list. */
function levelsOf(path: VaultPath, { isChangelog, isTaskList }: Layout): 1 | 2 | null {
  if (isChangelog(path)) return 2;
  return isTaskList(path) ? 1 : null;
}

function mergeBodies(
  levels: 1 | 2 | null,
  base: string | null,
  a: string,
  b: string,
  resolve: ResolveDispute,
): string[] | null {
  if (levels === null) {
    const lines = base === null ? null : splitLines(base);
    return uniteLines(lines, splitLines(a), splitLines(b), resolve);
  }
  const known = base === null ? null : listParts(base, levels);
  // Without a base nobody knows whether two entries with one heading are two, or one that was changed.
  const parts = mergeParts(known, listParts(a, levels), listParts(b, levels), known !== null, resolve);
  return parts && linesOfParts(parts);
}

type Times = { created: LocalTime | null; updated: LocalTime | null };

function timesOf(text: string): Times {
  const found = findFrontmatter(text);
  const time = (key: string): LocalTime | null =>
    found === null
      ? null
      : parseLocalTime(frontmatterValue(text.slice(found.yamlStart, found.yamlEnd), key) ?? '');
  return { created: time('created'), updated: time('updated') };
}

/** It is as old as the older one, and was changed when the newer one was. */
function withTimesOf(text: string, a: Times, b: Times): string {
  const [created] = [a.created, b.created].filter((time) => time !== null).toSorted();
  const updated = [a.updated, b.updated]
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);
  if (updated === undefined) return text;
  const stamped = setTimes(text, { ...(created !== undefined && { created }), updated });
  return stamped.ok ? stamped.text : text;
}
