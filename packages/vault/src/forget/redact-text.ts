import { findFrontmatter, parseChangelog } from '../vault/index.ts';
import type { PhraseMatcher, Span } from './match-phrases.ts';

/**
 * Removes the sentences that contain a phrase. A line without other text is removed, and so are headings, table rows,
 * fields and lines of code. A changelog entry is replaced by the marker. Returns a text without a phrase unchanged.
 */
export function redactText(text: string, matcher: PhraseMatcher, marker: string): string {
  let redacted = text;
  // Text that was apart can form a phrase once the text between is removed.
  for (let spans = matcher.find(redacted); spans.length > 0; spans = matcher.find(redacted))
    redacted = removeSpans(redacted, spans, marker);
  return redacted;
}

type Line = Span & {
  /** What the line belongs to, other than prose. */
  kind: 'prose' | 'structured' | 'entry';
  /** The first line of its changelog entry. */
  entryStart: number;
};

function removeSpans(text: string, spans: readonly Span[], marker: string): string {
  const lines = parseLines(text);
  const removedEntries = new Set<number>();
  const cuts = new Map<number, Span[]>();
  let first = 0;
  for (const span of spans) {
    while ((lines[first]?.end ?? Infinity) <= span.start) first += 1;
    for (
      let index = first;
      (lines[index]?.start ?? Infinity) < Math.max(span.end, span.start + 1);
      index += 1
    ) {
      const line = lines[index] as Line;
      if (line.kind === 'entry') removedEntries.add(line.entryStart);
      else cuts.set(index, [...(cuts.get(index) ?? []), span]);
    }
  }
  const kept: string[] = [];
  for (const [index, line] of lines.entries()) {
    const whole = text.slice(line.start, line.end);
    if (line.kind === 'entry' && removedEntries.has(line.entryStart)) {
      if (index === line.entryStart) kept.push(`## ${marker}${lineEnding(whole)}`);
      continue;
    }
    const found = cuts.get(index);
    const rest = found === undefined ? whole : cutLine(whole, line, found);
    if (rest !== '') kept.push(rest);
    else if (isBlank(kept.at(-1)) && isBlank(text.slice(line.end, lines[index + 1]?.end ?? line.end)))
      kept.pop();
  }
  return kept.join('');
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && line.trim() === '';
}

function lineEnding(line: string): string {
  return /\r?\n$/.exec(line)?.[0] ?? '';
}

function parseLines(text: string): Line[] {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const lines: Line[] = [];
  let isCode = false;
  for (const { index: start, 0: line } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const isFence = start >= bodyStart && /^\s*(?:```|~~~)/.test(line);
    const isStructured = start < bodyStart || isCode || /^\s*(?:#{1,6}\s|\|)/.test(line);
    lines.push({
      start,
      end: start + line.length,
      kind: isStructured && !isFence ? 'structured' : 'prose',
      entryStart: -1,
    });
    if (isFence) isCode = !isCode;
  }
  for (const { lines: range, day } of parseChangelog(text)) {
    if (day === null) continue;
    for (let number = range.start; number <= range.end; number += 1) {
      const line = lines[number - 1];
      if (line !== undefined) Object.assign(line, { kind: 'entry', entryStart: range.start - 1 });
    }
  }
  return lines;
}

/** The markers of quotes, lists and tasks. */
const leadingMarkers = /^\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?/;

/** The line without the sentences that overlap the spans; empty if no text is left. */
function cutLine(whole: string, line: Line, spans: readonly Span[]): string {
  if (line.kind === 'structured') return '';
  const ending = lineEnding(whole);
  const [prefix = ''] = leadingMarkers.exec(whole) ?? [];
  const body = whole.slice(prefix.length, whole.length - ending.length);
  const bodyStart = line.start + prefix.length;
  const isCut = (start: number, end: number): boolean =>
    spans.some((span) => span.start < bodyStart + end && span.end > bodyStart + start);
  let rest = '';
  for (const { index, 0: sentence } of body.matchAll(/.*?[.!?…]["'”’)\]*_]*\s+|.+$/gsu))
    if (!isCut(index, index + sentence.length)) rest += sentence;
  return /[\p{L}\p{N}]/u.test(rest) && rest.length < body.length ? prefix + rest.trimEnd() + ending : '';
}
