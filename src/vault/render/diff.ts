import { diffIndices } from 'node-diff3';
import { splitLines } from '../lines.ts';
import { decodeText } from '../text.ts';

const context = 3;

type Span = { start: number; end: number };
type Edit = { old: Span; new: Span };

/** What became of a file, in the unified form; binary content is only mentioned. */
export function unifiedDiff(path: string, before: Buffer | null, after: Buffer | null): string {
  const [from, to] = [before === null ? '/dev/null' : path, after === null ? '/dev/null' : path];
  const [a, b] = [before, after].map((bytes) =>
    bytes === null ? { kind: 'text' as const, text: '' } : decodeText(bytes),
  );
  if (a?.kind !== 'text' || b?.kind !== 'text') return `--- ${from}\n+++ ${to}\nbinary content differs`;
  const [old, fresh] = [splitLines(a.text), splitLines(b.text)];
  const edits = diffIndices(old, fresh).map(({ buffer1, buffer2 }) => ({
    old: { start: buffer1[0], end: buffer1[0] + buffer1[1] },
    new: { start: buffer2[0], end: buffer2[0] + buffer2[1] },
  }));
  return [`--- ${from}`, `+++ ${to}`, ...group(edits).flatMap((hunk) => renderHunk(hunk, old, fresh))].join(
    '\n',
  );
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
