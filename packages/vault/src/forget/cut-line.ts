import { hasContent } from './parse-text-lines.ts';
import type { TextLine } from './parse-text-lines.ts';
import { splitSentences } from './sentences.ts';
import { applyEdits, mergeSpans } from './text-edits.ts';
import type { Span, TextEdit } from './text-edits.ts';
import { tidyCut } from './tidy-cut.ts';

/**
 * The edits that remove these spans from the body of a line. A sentence without other words goes, and so does a field of a task
 * without a value.
 */
export function cutLine(text: string, line: TextLine, spans: readonly Span[]): TextEdit[] {
  if (line.kind === 'verbatim') return spans.flatMap((span) => clip(span, line.body)).map(remove);
  if (line.kind === 'fields') return cutFields(text, line, spans);
  const parts = line.kind === 'row' ? splitCells(text, line.body) : [line.body];
  return parts.flatMap((part) => cutPart(text, part, spans));
}

function remove(span: Span): TextEdit {
  return { ...span, insert: '' };
}

function clip(span: Span, { start, end }: Span): Span[] {
  const clipped = { start: Math.max(span.start, start), end: Math.min(span.end, end) };
  return clipped.start < clipped.end ? [clipped] : [];
}

function cutPart(text: string, part: Span, spans: readonly Span[]): TextEdit[] {
  const found = mergeSpans(spans.flatMap((span) => clip(span, part)));
  if (found.length === 0) return [];
  const cuts = joinCuts(text, [...found, ...findEmptySentences(text, part, found)]);
  return cuts.map((span, index) => {
    const before = text.slice(cuts[index - 1]?.end ?? part.start, span.start);
    const after = text.slice(span.end, cuts[index + 1]?.start ?? part.end);
    return tidyCut(before, after, span);
  });
}

/** The sentences of which no words would be left, with the blanks after them. */
function findEmptySentences(text: string, part: Span, cuts: readonly Span[]): Span[] {
  return splitSentences(text.slice(part.start, part.end))
    .map(({ start, end }) => ({ start: part.start + start, end: part.start + end }))
    .filter(({ start, end }) => cuts.some((span) => span.start < end && start < span.end))
    .filter(({ start, end }) => !hasContent(applyEdits(text, cuts.map(remove), start, end)));
}

/** Cuts without words between them become one. */
function joinCuts(text: string, cuts: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const { start, end } of mergeSpans(cuts)) {
    const last = joined.at(-1);
    if (last !== undefined && !hasContent(text.slice(last.end, start))) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

/** The cells of a table row or of a line of fields, without the blanks around them. */
function splitCells(text: string, { start, end }: Span): Span[] {
  return [...text.slice(start, end).matchAll(/(?:\\.|[^|\\])+/gs)].flatMap(({ index, 0: cell }) => {
    const words = cell.trim();
    const first = start + index + cell.indexOf(words);
    return words === '' ? [] : [{ start: first, end: first + words.length }];
  });
}

/** Without a value, a field would make the whole line unreadable as metadata. */
function cutFields(text: string, line: TextLine, spans: readonly Span[]): TextEdit[] {
  const cells = splitCells(text, line.body);
  const cuts = cells.map((cell) => cutPart(text, cell, spans));
  const isEmpty = cells.map((cell, index) => {
    const rest = applyEdits(text, cuts[index] ?? [], cell.start, cell.end);
    return !/^[^:]+:.*[\p{L}\p{N}]/u.test(rest);
  });
  const isFirstKept = isEmpty.indexOf(false);
  return cells.flatMap((cell, index) => {
    if (isEmpty[index] === false) return cuts[index] ?? [];
    const { start = cell.start } =
      isFirstKept === -1 || index < isFirstKept ? cell : previousEnd(cells, index);
    const end = index < isFirstKept ? (cells[index + 1]?.start ?? cell.end) : cell.end;
    return [remove({ start, end })];
  });
}

function previousEnd(cells: readonly Span[], index: number): { start: number | undefined } {
  return { start: cells[index - 1]?.end };
}
