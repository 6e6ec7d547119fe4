import { compareLines, numberLines } from '../../contract/index.ts';
import type { Edit } from '../../contract/index.ts';
import { splitLines } from '../lines.ts';
import { decodeText } from '../text.ts';

const context = 3;
/** In characters. Nobody reads more, and who shows it has to hold it. */
const longestDiff = 100_000;
const longestLine = 2_000;

/**
 * What became of a file, in the unified form; binary content is only mentioned. A long diff ends with a remark that says how much is
 * left out, after a backslash as remarks do there.
 */
export function unifiedDiff(path: string, before: Buffer | null, after: Buffer | null): string {
  const header = diffHeader(path, before, after);
  const [a, b] = [before, after].map((bytes) =>
    bytes === null ? { kind: 'text' as const, text: '' } : decodeText(bytes),
  );
  if (a?.kind !== 'text' || b?.kind !== 'text') return `${header}\nbinary content differs`;
  const [old, fresh] = [splitLines(a.text), splitLines(b.text)];
  const [oldNumbers = new Int32Array(), newNumbers = new Int32Array()] = numberLines(old, fresh);
  const hunks = group(compareLines(oldNumbers, newNumbers).edits);
  return [header, ...withinBounds(hunks.flatMap((hunk) => renderHunk(hunk, old, fresh)))].join('\n');
}

/** In the place of the diff of a file, where there would be too many of them. */
export function omittedDiff(path: string, before: Buffer | null, after: Buffer | null): string {
  return `${diffHeader(path, before, after)}\n\\ left out: the change is too large to be shown at once; ask for this file alone`;
}

function diffHeader(path: string, before: Buffer | null, after: Buffer | null): string {
  return `--- ${before === null ? '/dev/null' : path}\n+++ ${after === null ? '/dev/null' : path}`;
}

function withinBounds(lines: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const [index, line] of lines.entries()) {
    const fitting = line.slice(0, longestLine);
    length += fitting.length + 1;
    if (length > longestDiff)
      return [...shown, `\\ ${lines.length - index} more lines of this diff are left out: it is too long`];
    shown.push(fitting);
    if (fitting !== line) shown.push(`\\ the line above is cut: it has ${line.length - 1} characters`);
  }
  return shown;
}

/** Edits whose context would overlap belong to one hunk. */
function group(edits: Edit[]): Edit[][] {
  const hunks: Edit[][] = [];
  for (const edit of edits) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && edit.old.start - last.old.end <= context * 2) hunks.at(-1)?.push(edit);
    else hunks.push([edit]);
  }
  return hunks;
}

function renderHunk(edits: Edit[], old: string[], fresh: string[]): string[] {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return [];
  const before = Math.min(context, first.old.start);
  const after = Math.min(context, old.length - last.old.end);
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
