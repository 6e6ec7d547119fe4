import { parseLinks } from '../contract/index.ts';
import { extractYaml, parseYaml } from '../vault/index.ts';
import { cutLine } from './cut-line.ts';
import type { PhraseMatcher } from './match-phrases.ts';
import { endOfSection, hasContent, listLines, parseTextLines } from './parse-text-lines.ts';
import type { TextLine } from './parse-text-lines.ts';
import { applyEdits, mergeSpans, toOriginal } from './text-edits.ts';
import type { Span, TextEdit } from './text-edits.ts';

type Options = {
  matcher: PhraseMatcher;
  /** Replaces a heading or an item of which only what is below it is left. */
  marker: string;
  /** The name that a file with the words in its path gets. */
  renamePath: (path: string) => string;
  /** Extends the found spans. */
  expand: (text: string, spans: readonly Span[]) => Span[];
};

/** After this many rounds, whole lines are removed. */
const maxRounds = 20;

/**
 * Returns the edits that remove the phrases from a text, with the blanks and punctuation that would be left over. Words are removed
 * only if they belong to a phrase, or to the key of a value without which it means nothing. A sentence or line without other words
 * goes; a heading or an item with text below it gets the marker instead, so that this text does not end up below another.
 */
export function removePhrases(text: string, options: Options): TextEdit[] {
  const { matcher, expand } = options;
  let spans = expand(text, matcher.find(text));
  for (let round = 1; spans.length > 0; round += 1) {
    const edits = cut(text, mergeSpans(spans), options);
    // Text that was apart can form a phrase once the text between is removed.
    const later = matcher.find(applyEdits(text, edits)).flatMap((span) => toOriginal(edits, span) ?? []);
    if (later.length === 0) return edits;
    spans = [...spans, ...expand(text, later), ...(round < maxRounds ? [] : linesOf(text, later))];
  }
  return [];
}

function linesOf(text: string, spans: readonly Span[]): Span[] {
  return parseTextLines(text).filter((line) => spans.some((span) => overlaps(line, span)));
}

function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end;
}

/** Properties that would become invalid are removed as a whole. */
function cut(text: string, spans: readonly Span[], options: Options): TextEdit[] {
  const lines = parseTextLines(text);
  const edits = cutLines(text, lines, spans, options);
  if (parseYaml(extractYaml(text)) === null || parseYaml(extractYaml(applyEdits(text, edits))) !== null)
    return edits;
  const whole = lines.flatMap((line, index) =>
    line.kind === 'property' && spans.some((span) => overlaps(line, span)) ? [topProperty(lines, index)] : [],
  );
  return cutLines(text, lines, [...spans, ...whole], options);
}

function topProperty(lines: readonly TextLine[], index: number): Span {
  const isTop = (line: TextLine): boolean => line.kind === 'property' && line.indent === 0 && !line.isItem;
  const first = lines.findLastIndex((line, at) => at <= index && isTop(line));
  return sectionOf(lines, first === -1 ? index : first);
}

function sectionOf(lines: readonly TextLine[], index: number): Span {
  return { start: lines[index]?.start ?? 0, end: lines[endOfSection(lines, index) - 1]?.end ?? 0 };
}

function cutLines(
  text: string,
  lines: readonly TextLine[],
  spans: readonly Span[],
  { matcher, marker, renamePath }: Options,
): TextEdit[] {
  const links = editLinks(text, spans, matcher, renamePath);
  const removed = mergeSpans([
    ...spans.flatMap((span) => subtract(span, links)),
    ...links.filter(({ insert }) => insert === ''),
    ...findKeys(lines, spans),
  ]);
  const edits: TextEdit[] = [];
  const isGone = new Set<number>();
  // From the end, because what becomes of a line depends on what is left below it.
  const touched = new Set([...removed, ...links].flatMap((span) => listLines(lines, span)));
  for (const index of [...touched].toSorted((a, b) => b - a)) {
    const line = withMatchedMarkers(text, lines[index] as TextLine, removed);
    const changed = links.filter((link) => link.insert !== '' && overlaps(link, line));
    const cuts = [...cutLine(text, line, removed), ...changed].toSorted((a, b) => a.start - b.start);
    if (hasContent(applyEdits(text, cuts, line.body.start, line.body.end)) || isTableHead(text, lines, index))
      edits.push(...cuts);
    else if (hasRest(lines, index, isGone)) edits.push({ ...line.body, insert: marker });
    else isGone.add(index);
  }
  return [...edits, ...removeLines(lines, isGone)].toSorted((a, b) => a.start - b.start);
}

/** The number of a list item can belong to a phrase. */
function withMatchedMarkers(text: string, line: TextLine, spans: readonly Span[]): TextLine {
  const markers = { start: line.start + line.indent, end: line.body.start };
  if (line.kind === 'property' || !hasContent(text.slice(markers.start, markers.end))) return line;
  if (!spans.some((span) => overlaps(markers, span))) return line;
  return { ...line, body: { start: markers.start, end: line.body.end } };
}

/** The properties with a removed key: their values would belong to the key above. */
function findKeys(lines: readonly TextLine[], spans: readonly Span[]): Span[] {
  return lines.flatMap((line, index) => {
    const key = { start: line.start + line.indent, end: line.body.start };
    const isRemoved = line.kind === 'property' && spans.some((span) => overlaps(key, span));
    return isRemoved ? [sectionOf(lines, index)] : [];
  });
}

/** Links to files with the words in their path lead to their new path. */
function editLinks(
  text: string,
  spans: readonly Span[],
  matcher: PhraseMatcher,
  renamePath: (path: string) => string,
): TextEdit[] {
  return parseLinks(text).flatMap((link) => {
    const { start, end, target } = link;
    if (!matcher.test(target) || !spans.some((span) => overlaps(link, span))) return [];
    // Of a sentence that is removed, no link stays.
    if (spans.some((span) => contains(span, link))) return [];
    const path = renamePath(target);
    if (matcher.test(path)) return [{ start, end, insert: '' }];
    if (link.kind === 'wiki') return [renameWikilink(text, link, path, spans)];
    const renamed = link.format(path);
    return [{ start, end, insert: matcher.test(renamed) ? renamed.replace(link.anchor, '') : renamed }];
  });
}

/** More than the link itself. */
function contains(span: Span, { start, end }: Span): boolean {
  return span.start <= start && span.end >= end && span.end - span.start > end - start;
}

/** Replaces only the name, so that the words of the anchor and the label go as elsewhere; without other words, both go. */
function renameWikilink(
  text: string,
  link: Span & { target: string },
  path: string,
  spans: readonly Span[],
): TextEdit {
  const start = text.indexOf('[[', link.start) + 2;
  const end = start + link.target.length;
  const closing = link.end - 2;
  const removed = spans.map((span) => ({ ...span, insert: '' }));
  const isEmptied = !hasContent(applyEdits(text, removed, end, closing));
  return { start, end: isEmptied ? closing : end, insert: path };
}

/** The parts of a span outside of these edits. */
function subtract(span: Span, edits: readonly TextEdit[]): Span[] {
  let rest = [span];
  for (const { start, end } of edits)
    rest = rest.flatMap((part) =>
      [
        { start: part.start, end: Math.min(part.end, start) },
        { start: Math.max(part.start, end), end: part.end },
      ].filter((piece) => piece.start < piece.end),
    );
  return rest;
}

/** Whether a row is followed by the line `|---|`, without which the rows below would not be a table. */
function isTableHead(text: string, lines: readonly TextLine[], index: number): boolean {
  const next = lines[index + 1];
  if (lines[index]?.kind !== 'row' || next?.kind !== 'row') return false;
  return /^[\s|:-]+$/.test(text.slice(next.body.start, next.body.end));
}

/** Whether something is left that belongs to a line. */
function hasRest(lines: readonly TextLine[], index: number, isGone: ReadonlySet<number>): boolean {
  const end = endOfSection(lines, index);
  for (let below = index + 1; below < end; below += 1)
    if (!isGone.has(below) && lines[below]?.isBlank === false) return true;
  return false;
}

/** Removes whole lines, the blank lines between them, and one of two blank lines that meet. */
function removeLines(lines: readonly TextLine[], isGone: ReadonlySet<number>): TextEdit[] {
  const edits: TextEdit[] = [];
  const isBlank = (index: number): boolean => lines[index]?.isBlank ?? false;
  for (let index = 0; index < lines.length; index += 1) {
    if (!isGone.has(index)) continue;
    const first = index;
    while (isGone.has(index + 1) || (isBlank(index + 1) && isGone.has(index + 2))) index += 1;
    if (isBlank(index + 1) && (first === 0 || isBlank(first - 1))) index += 1;
    edits.push({ start: lines[first]?.start ?? 0, end: lines[index]?.end ?? 0, insert: '' });
  }
  return edits;
}
