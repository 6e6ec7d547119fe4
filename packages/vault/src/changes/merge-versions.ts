import { parseLocalTime } from '../contract/index.ts';
import type { LocalTime } from '../contract/index.ts';
import {
  parseFieldParts,
  findFrontmatter,
  findStatus,
  getFrontmatterValue,
  formatParts,
  parseListParts,
  replaceStatus,
  setTimes,
  splitLines,
  copyStamps,
} from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';
import { mergeParts } from './merge-parts.ts';
import { uniteLists } from './unite-fields.ts';
import { keepBothSides, refuseDisputes, unionMerge } from './union-merge.ts';
import type { Dispute, KeptDispute, ResolveDispute } from './union-merge.ts';

/**
 * Merges two versions of a note, with their common base if it is known: a changelog by days and entries, tasks by headings,
 * frontmatter by fields and their lists by items, all else by lines. Null when both changed the same lines. The result depends neither on the order
 * of the versions nor on a clock, so machines that merge the same versions write the same bytes.
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

/** The merged note, which contains both versions of the disputed lines, and a list of these disputes. */
export type KeptBoth = { text: string; disputes: KeptDispute[] };

/**
 * Merges like `mergeVersions`, but keeps both versions of disputed lines, one below the other. A disputed field takes the
 * value of the version that was updated last, because a field can occur only once. All other edits and deletions of both
 * sides are kept.
 */
export function mergeKeepingBoth(
  path: VaultPath,
  base: string,
  one: string,
  other: string,
  layout: Layout,
): KeptBoth | null {
  const disputes: KeptDispute[] = [];
  const [a, b] = [one, other].toSorted() as [string, string];
  const isLater = (readTimes(a).updated ?? '') > (readTimes(b).updated ?? '');
  const noting =
    (resolve: (dispute: Dispute) => string[]): ResolveDispute =>
    (dispute) => {
      const kept = resolve(dispute);
      disputes.push({ ...dispute, kept });
      return kept;
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
  const stamped = readTimes(a).updated === null ? b : a;
  const plain = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  // Every machine updates the status in the overview, so it must not cause a conflict.
  const status = findStatus(plain((readTimes(a).updated ?? '') > (readTimes(b).updated ?? '') ? a : b));
  const alike = (text: string): string =>
    copyStamps(stamped, status === null ? plain(text) : replaceStatus(plain(text), status));
  const [ours, theirs, from] = [a, b, base].map((text) =>
    text === null ? null : splitNote(alike(text)),
  ) as [SplitNote, SplitNote, SplitNote | null];
  const fields = mergeParts(
    from && parseFieldParts(from.yaml),
    parseFieldParts(ours.yaml),
    parseFieldParts(theirs.yaml),
    false,
    (dispute) => uniteLists(dispute) ?? resolve.field(dispute),
  );
  const body = mergeBodies(
    headingLevelsFor(path, layout),
    from?.body ?? null,
    ours.body,
    theirs.body,
    resolve.line,
  );
  if (fields === null || body === null) return null;
  const top = fields.length === 0 ? [] : ['---', ...formatParts(fields), '---'];
  const blankLines = top.length === 0 ? 0 : Math.max(ours.blankLines, theirs.blankLines);
  const text = [...top, ...Array<string>(blankLines).fill(''), ...body].map((line) => line + end).join('');
  const mark = a.startsWith('\ufeff') && b.startsWith('\ufeff') ? '\ufeff' : '';
  return mergeTimes(mark + text, readTimes(a), readTimes(b));
}

type SplitNote = { yaml: string; blankLines: number; body: string };

/** `blankLines` is the number of blank lines after the frontmatter. */
function splitNote(text: string): SplitNote {
  const found = findFrontmatter(text);
  const rest = text.slice(found?.bodyStart ?? 0);
  const lines = splitLines(rest);
  const first = lines.findIndex((line) => line.trim() !== '');
  const blankLines = first < 0 ? lines.length : first;
  const yaml = found === null ? '' : text.slice(found.yamlStart, found.yamlEnd);
  return { yaml, blankLines, body: lines.slice(blankLines).join('\n') };
}

/**
 * The number of heading levels that divide a file into parts, which are merged one by one; null if it has no such
 * parts.
 */
function headingLevelsFor(path: VaultPath, { isChangelog, isTaskList }: Layout): 1 | 2 | null {
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
    return unionMerge(lines, splitLines(a), splitLines(b), resolve);
  }
  const known = base === null ? null : parseListParts(base, levels);
  // Without a base it is unknown whether two entries with the same heading are two entries or two versions of one.
  const parts = mergeParts(
    known,
    parseListParts(a, levels),
    parseListParts(b, levels),
    known !== null,
    resolve,
  );
  return parts && formatParts(parts);
}

type Times = { created: LocalTime | null; updated: LocalTime | null };

function readTimes(text: string): Times {
  const found = findFrontmatter(text);
  const time = (key: string): LocalTime | null =>
    found === null
      ? null
      : parseLocalTime(getFrontmatterValue(text.slice(found.yamlStart, found.yamlEnd), key) ?? '');
  return { created: time('created'), updated: time('updated') };
}

/** Takes the earlier creation time and the later update time. */
function mergeTimes(text: string, a: Times, b: Times): string {
  const [created] = [a.created, b.created].filter((time) => time !== null).toSorted();
  const updated = [a.updated, b.updated]
    .filter((time) => time !== null)
    .toSorted()
    .at(-1);
  if (updated === undefined) return text;
  const stamped = setTimes(text, { ...(created !== undefined && { created }), updated });
  return stamped.ok ? stamped.text : text;
}
