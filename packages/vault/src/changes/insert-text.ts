import {
  parseDay,
  findFrontmatter,
  splitLines,
  createOutlineParser,
  trimEndCharacters,
} from '../vault/index.ts';

/**
 * Inserts a piece with one blank line around it. The top is below the frontmatter and a leading comment, and also below a
 * leading title, unless headings are entries (`isLog`). In a log, a day with its entries is inserted under the existing heading
 * of that day. Returns the text and the first and last inserted line.
 */
export function insertText(
  text: string,
  piece: string,
  position: 'top' | 'bottom',
  isLog: boolean,
): { text: string; first: number; last: number } {
  const endOfLine = /\r\n/.test(text) ? '\r\n' : '\n';
  const { at, piece: own } = (isLog ? placeUnderDay(text, piece, position) : null) ?? {
    at: position === 'bottom' ? text.length : topOf(text, isLog),
    piece,
  };
  const trimmed = trimEndCharacters(own.replaceAll('\r\n', '\n').replace(/^\n+/, ''), '\n');
  const added = `${trimmed.replaceAll('\n', endOfLine)}${endOfLine}`;
  const [above, below] = [text.slice(0, at), text.slice(at)];
  const gapAbove = above === '' || above === '\ufeff' ? '' : missingEnds(above, endOfLine);
  const gapBelow = below === '' || /^\r?\n/.test(below) ? '' : endOfLine;
  const first = (above + gapAbove).split('\n').length;
  return {
    text: above + gapAbove + added + gapBelow + below,
    first,
    last: first + added.split('\n').length - 2,
  };
}

/** The line endings to append so that the text ends with a blank line. */
function missingEnds(text: string, endOfLine: string): string {
  if (/\n\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? endOfLine : endOfLine + endOfLine;
}

function topOf(text: string, isLog: boolean): number {
  let at = findFrontmatter(text)?.bodyStart ?? (text.startsWith('\ufeff') ? 1 : 0);
  const skip = (pattern: RegExp): void => void (at += pattern.exec(text.slice(at))?.[0].length ?? 0);
  skip(/^\s*<!--[\s\S]*?-->[ \t]*(?:\r?\n|$)/);
  if (!isLog) skip(/^\s*# [^\n]*(?:\n|$)/);
  return at;
}

type Place = { at: number; piece: string };

/**
 * Finds the place of a piece under the existing heading of its day, and removes the heading from the piece. Null if the
 * piece is not one day with its entries, or if the text has no heading of that day. A heading with words of its own counts
 * only above an entry, because a task may start with a date.
 */
function placeUnderDay(text: string, piece: string, position: 'top' | 'bottom'): Place | null {
  const own = firstHeading(piece);
  const day = own?.level === 1 ? parseDay(own.text) : null;
  if (own === null || day === null) return null;
  const rest = piece.slice(own.end);
  const present = rest.trim() === '' || hasTitle(rest) ? null : findDay(text, day);
  if (present === null) return null;
  const isSame = [day, present.heading].includes(own.text);
  if (!isSame && firstHeading(rest)?.level !== 2) return null;
  const words = isSame ? '' : wordsBesideDay(own.text, present.heading);
  return {
    at: position === 'top' ? present.start : present.end,
    piece: words === '' ? rest : `${words}\n\n${rest.trimStart()}`,
  };
}

/** Adds the heading of a day to changelog entries without one. */
export function addDayHeading(piece: string, day: string): string {
  const first = firstHeading(piece);
  // A log may use level 2 for its days.
  return first?.level === 2 && parseDay(first.text) === null
    ? `# ${day}\n\n${piece.replace(/^(?:[ \t]*\r?\n)+/, '')}`
    : piece;
}

/** The heading in the first line that is not blank, and the offset after that line; null if the line is no heading. */
function firstHeading(text: string): { level: number; text: string; end: number } | null {
  const line = /^\s*?([^\s][^\n]*)(?:\n|$)/.exec(text);
  const { heading } = createOutlineParser()(line?.[1]?.trimEnd() ?? '');
  return line === null || heading === null
    ? null
    : { level: heading.level, text: heading.text, end: line[0].length };
}

/** Words of a day heading that are neither its date, nor a weekday, nor in the other heading. */
function wordsBesideDay(heading: string, other: string): string {
  const words = heading.slice('2025-07-14'.length).replace(/^[^\p{L}\p{N}]+/u, '');
  return weekday.test(words) || other.includes(words) ? '' : words;
}

const weekday =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:lun|mar|mercre|jeu|vendre|same)di|dimanche)\P{L}*$/iu;

/** The section of a day: the offsets after its heading and before the next one. */
function findDay(text: string, day: string): { heading: string; start: number; end: number } | null {
  const outline = createOutlineParser();
  let at = findFrontmatter(text)?.bodyStart ?? (text.startsWith('\ufeff') ? 1 : 0);
  let found: { heading: string; start: number } | null = null;
  for (const line of text.slice(at).split(/(?<=\n)/)) {
    const { heading } = outline(line.replace(/\r?\n$/, ''));
    if (heading?.level === 1 && heading.lines === 1) {
      if (found !== null) return { ...found, end: at };
      if (parseDay(heading.text) === day) found = { heading: heading.text, start: at + line.length };
    }
    at += line.length;
  }
  return found && { ...found, end: at };
}

function hasTitle(text: string): boolean {
  const outline = createOutlineParser();
  return splitLines(text).some((line) => outline(line).heading?.level === 1);
}
