import { diffLines, internLines } from '../../contract/index.ts';
import type { Edit } from '../../contract/index.ts';
import { splitLines } from '../lines.ts';
import { decodeText } from '../decode-text.ts';

const contextLines = 3;
/** A longer diff is not readable and would take too much memory in the client. */
const maxDiffCharacters = 100_000;
const maxDiffLineCharacters = 2_000;

/**
 * Formats the changes of a file as a unified diff; for binary content, it only says that the content differs. A
 * truncated diff ends with a line that says how much was omitted; it begins with a backslash, like git's own remarks.
 */
export function unifiedDiff(path: string, before: Buffer | null, after: Buffer | null): string {
  const header = diffHeader(path, before, after);
  const [a, b] = [before, after].map((bytes) =>
    bytes === null ? { kind: 'text' as const, text: '' } : decodeText(bytes),
  );
  if (a?.kind !== 'text' || b?.kind !== 'text') return `${header}\nbinary content differs`;
  const [old, fresh] = [splitLines(a.text), splitLines(b.text)];
  const [oldNumbers = new Int32Array(), newNumbers = new Int32Array()] = internLines(old, fresh);
  const hunks = groupIntoHunks(diffLines(oldNumbers, newNumbers).edits);
  return [header, ...truncateDiff(hunks.flatMap((hunk) => renderHunk(hunk, old, fresh)))].join('\n');
}

/** The replacement for the diff of a file in a change with too many diffs. */
export function formatOmittedDiff(path: string, before: Buffer | null, after: Buffer | null): string {
  return `${diffHeader(path, before, after)}\n\\ omitted: the change is too large to show at once; request this file alone`;
}

function diffHeader(path: string, before: Buffer | null, after: Buffer | null): string {
  return `--- ${before === null ? '/dev/null' : path}\n+++ ${after === null ? '/dev/null' : path}`;
}

function truncateDiff(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const fitting = line.slice(0, maxDiffLineCharacters);
    length += fitting.length + 1;
    if (length > maxDiffCharacters)
      return [...shown, `\\ ${lines.length - index} more lines omitted: the diff is too long`];
    shown.push(fitting);
    if (fitting !== line) shown.push(`\\ the line above is truncated: it has ${line.length - 1} characters`);
  }
  return shown;
}

/** Groups edits with overlapping context into hunks. */
function groupIntoHunks(edits: Edit[]): Edit[][] {
  const hunks: Edit[][] = [];
  for (const edit of edits) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && edit.old.start - last.old.end <= contextLines * 2) hunks.at(-1)?.push(edit);
    else hunks.push([edit]);
  }
  return hunks;
}

function renderHunk(edits: Edit[], old: string[], fresh: string[]): string[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = Math.min(contextLines, first.old.start);
  const after = Math.min(contextLines, old.length - last.old.end);
  const lines: string[] = [];
  let at = first.old.start - before;
  for (const edit of edits) {
    for (; at < edit.old.start; at += 1) lines.push(` ${old[at]}`);
    for (; at < edit.old.end; at += 1) lines.push(`-${old[at]}`);
    for (const line of fresh.slice(edit.new.start, edit.new.end)) lines.push(`+${line}`);
  }
  for (; at < last.old.end + after; at += 1) lines.push(` ${old[at]}`);
  const range = (sign: string, from: number, to: number): string =>
    `${sign}${to > from ? from + 1 : from},${to - from}`;
  const header = `@@ ${range('-', first.old.start - before, last.old.end + after)} ${range('+', first.new.start - before, last.new.end + after)} @@`;
  return [header, ...lines];
}
