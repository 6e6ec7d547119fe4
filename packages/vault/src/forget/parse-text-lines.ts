import { parseTaskFields } from '../contract/index.ts';
import { createOutlineParser, findFrontmatter } from '../vault/index.ts';
import type { Span } from './text-edits.ts';

/** A line of a text, with its line ending. */
export type TextLine = Span & {
  /**
   * `row`: of a table. `fields`: metadata of a task, such as `status: to-do | prio: high`. `property`: of the frontmatter.
   * `verbatim`: code and the like, in which blanks and punctuation have a meaning.
   */
  kind: 'prose' | 'heading' | 'row' | 'fields' | 'property' | 'verbatim';
  /** Between the markers of quotes, lists, tasks and headings, or the key of a property, and the line ending. */
  body: Span;
  /** The number of characters before the first marker or word. */
  indent: number;
  /** The level of a heading; 0 for other lines. */
  level: number;
  isItem: boolean;
  isBlank: boolean;
};

/** The markers of quotes, lists and tasks. */
const leadingMarkers = /^\s*(?:>\s*)*(?:(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?)?/;
const headingMarkers = /^\s*#{1,6}\s+/;
/** List markers, and a key. */
const propertyMarkers = /^\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[^\s#:'"[\]{}-][^:]*):(?:\s+|$))?/;

export function parseTextLines(text: string): TextLine[] {
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const outline = createOutlineParser();
  const lines: TextLine[] = [];
  for (const { index: start, 0: whole } of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const content = whole.replace(/\r?\n$/, '').replace(/^\ufeff/, '');
    const isProperty = start < bodyStart;
    const { heading, isVerbatim } = isProperty ? { heading: null, isVerbatim: false } : outline(content);
    const kind = isProperty ? propertyKind(content) : isVerbatim ? 'verbatim' : kindOf(content, heading);
    // A heading that is underlined is known at its second line.
    if (heading !== null && heading.lines > 1)
      for (const line of lines.slice(1 - heading.lines))
        Object.assign(line, { kind: 'heading', level: heading.level });
    const [markers = ''] = markersOf(kind).exec(content) ?? [];
    const offset = start + whole.indexOf(content);
    lines.push({
      start,
      end: start + whole.length,
      kind,
      body: { start: offset + markers.length, end: offset + content.length },
      indent: content.search(/\S|$/),
      level: heading?.level ?? 0,
      isItem: /(?:[-*+]|\d+[.)])\s/.test(markers),
      isBlank: content.trim() === '',
    });
  }
  return lines;
}

function propertyKind(content: string): TextLine['kind'] {
  return /^---\s*$/.test(content) ? 'verbatim' : 'property';
}

function kindOf(content: string, heading: { lines: number } | null): TextLine['kind'] {
  if (heading !== null) return heading.lines === 1 ? 'heading' : 'verbatim';
  if (/^\s*(?:>\s*)*\|/.test(content)) return 'row';
  return parseTaskFields(content) === null ? 'prose' : 'fields';
}

function markersOf(kind: TextLine['kind']): RegExp {
  if (kind === 'verbatim' || kind === 'fields') return /^\s*/;
  if (kind === 'heading') return headingMarkers;
  return kind === 'property' ? propertyMarkers : leadingMarkers;
}

/** Whether a text says anything: punctuation and markers alone do not. */
export function hasContent(text: string): boolean {
  return /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
}

/** The index of the line that contains a position. */
export function lineAt(lines: readonly TextLine[], position: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.start ?? Infinity) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The indexes of the lines that a span touches. */
export function listLines(lines: readonly TextLine[], { start, end }: Span): number[] {
  const indexes: number[] = [];
  for (let index = lineAt(lines, start); (lines[index]?.start ?? Infinity) < end; index += 1)
    indexes.push(index);
  return indexes;
}

/** The end of what belongs to a line: the text below a heading, and deeper lines below an item or a property; exclusive. */
export function endOfSection(lines: readonly TextLine[], index: number): number {
  const line = lines[index];
  if (line === undefined) return index;
  const isPast = (other: TextLine): boolean => {
    if (line.kind === 'heading') return other.kind === 'heading' && other.level <= line.level;
    if (line.kind !== 'property')
      return !line.isItem || (!other.isBlank && (other.kind === 'heading' || other.indent <= line.indent));
    // The items of a list may be indented as their key.
    return other.kind !== 'property' || (other.indent <= line.indent && (line.isItem || !other.isItem));
  };
  for (let end = index + 1; end < lines.length; end += 1) if (isPast(lines[end] as TextLine)) return end;
  return lines.length;
}
