import { parseChangelog } from '../vault/index.ts';
import { endOfSection, listLines, parseTextLines } from './parse-text-lines.ts';
import type { TextLine } from './parse-text-lines.ts';
import { mergeSpans } from './text-edits.ts';
import type { Span } from './text-edits.ts';

/** The sentences of a text, each with the blanks after it. */
export function splitSentences(text: string): Span[] {
  return [...text.matchAll(/.*?[.!?…]["'”’)\]*_]*\s+|.+$/gsu)].map(({ index, 0: sentence }) => ({
    start: index,
    end: index + sentence.length,
  }));
}

/** The spans with the sentences around them. */
export function expandToSentences(
  text: string,
  spans: readonly Span[],
  options: { withBlocks: boolean },
): Span[] {
  return mergeSpans([...spans, ...sentencesAround(text, parseTextLines(text), spans, options)]);
}

/**
 * The sentences around spans; for headings, properties, table rows and code the line. `withBlocks`: for the heading and the metadata of
 * a task, and for the heading of a changelog entry, everything that belongs to it.
 */
export function sentencesAround(
  text: string,
  lines: readonly TextLine[],
  spans: readonly Span[],
  { withBlocks }: { withBlocks: boolean },
): Span[] {
  const entries = withBlocks ? new Set(parseChangelog(text).map((entry) => entry.lines.start - 1)) : null;
  const unitsOf = (span: Span, index: number): Span[] => {
    const line = lines[index] as TextLine;
    const block = entries === null ? null : findBlock(lines, index, entries);
    if (block !== null) return [block];
    if (line.kind !== 'prose') return [{ start: line.start, end: line.body.end }];
    return sentencesOfLine(text, lines, index).filter(
      ({ start, end }) => start < span.end && span.start < end,
    );
  };
  return spans.flatMap((span) => listLines(lines, span).flatMap((index) => unitsOf(span, index)));
}

/** The task or changelog entry whose heading or metadata a line is; null for other lines. */
function findBlock(lines: readonly TextLine[], index: number, entries: ReadonlySet<number>): Span | null {
  const nextText = lines.findIndex((line, at) => at > index && !line.isBlank);
  const above = lines.findLastIndex((line, at) => at < index && line.kind === 'heading');
  const isTask = lines[index]?.kind === 'heading' && lines[nextText]?.kind === 'fields';
  const isMetadata = lines[index]?.kind === 'fields' && above !== -1;
  const first = isTask || entries.has(index) ? index : isMetadata ? above : -1;
  if (first === -1) return null;
  let end = endOfSection(lines, first);
  while (lines[end - 1]?.isBlank === true) end -= 1;
  return { start: lines[first]?.start ?? 0, end: lines[end - 1]?.body.end ?? 0 };
}

/** The sentences of a line. The first and the last one can continue on the lines around it. */
function sentencesOfLine(text: string, lines: readonly TextLine[], index: number): Span[] {
  const continues = (at: number): boolean => {
    const [line, next] = [lines[at], lines[at + 1]];
    if (line?.kind !== 'prose' || next?.kind !== 'prose' || line.isBlank || next.isItem) return false;
    return /^\p{Ll}/u.test(textOf(text, next)) && !/[.!?…:]\s*$/.test(textOf(text, line));
  };
  let [first, last] = [index, index];
  while (continues(first - 1)) first -= 1;
  while (continues(last)) last += 1;
  let joined = '';
  const starts: { at: number; position: number }[] = [];
  for (const { body } of lines.slice(first, last + 1)) {
    starts.push({ at: joined.length, position: body.start });
    joined += `${text.slice(body.start, body.end)}\n`;
  }
  const toPosition = (at: number): number => {
    const line = starts.findLast((each) => each.at <= at);
    return (line?.position ?? 0) + at - (line?.at ?? 0);
  };
  return splitSentences(joined.slice(0, -1)).map(({ start, end }) => {
    const length = joined.slice(start, end).trimEnd().length;
    return { start: toPosition(start), end: toPosition(start + Math.max(length, 1) - 1) + 1 };
  });
}

function textOf(text: string, { body }: TextLine): string {
  return text.slice(body.start, body.end);
}
