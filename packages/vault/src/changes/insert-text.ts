import {
  parseDay,
  findFrontmatter,
  splitLines,
  createOutlineParser,
  trimEndCharacters,
} from '../vault/index.ts';

/**
 * Inserts a piece with one blank line around it. The top is below the frontmatter and a leading comment, and also below a
 * leading title, unless headings are entries (`isLog`). In a log, the heading of a day is not repeated when the log already
 * starts with that day. Returns the text and the first and last inserted line.
 */
export function insertText(
  text: string,
  piece: string,
  position: 'top' | 'bottom',
  isLog: boolean,
): { text: string; first: number; last: number } {
  const endOfLine = /\r\n/.test(text) ? '\r\n' : '\n';
  const top = position === 'bottom' ? text.length : topOf(text, isLog);
  const day = isLog && position === 'top' ? dayOnTop(text.slice(top), piece) : { inText: 0, inPiece: 0 };
  const own = piece.slice(day.inPiece).replaceAll('\r\n', '\n').replace(/^\n+/, '');
  const added = `${trimEndCharacters(own, '\n').replaceAll('\n', endOfLine)}${endOfLine}`;
  const at = top + day.inText;
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

const firstHeading = /^\s*# ([^\r\n]*)\r?\n?/;

/** The lengths of the day headings at the start of a log and of the piece to insert; zero unless both name the same day. */
function dayOnTop(log: string, piece: string): { inText: number; inPiece: number } {
  const [present = '', heading = ''] = firstHeading.exec(log) ?? [];
  const [own = '', named = ''] = firstHeading.exec(piece) ?? [];
  const rest = piece.slice(own.length);
  const day = parseDay(named);
  const isSame = day !== null && day === parseDay(heading) && [day, heading.trim()].includes(named.trim());
  return isSame && rest.trim() !== '' && !hasTitle(rest)
    ? { inText: present.length, inPiece: own.length }
    : { inText: 0, inPiece: 0 };
}

function hasTitle(text: string): boolean {
  const outline = createOutlineParser();
  return splitLines(text).some((line) => outline(line).heading?.level === 1);
}
