import { dayOf, findFrontmatter, splitLines, startOutline, withoutEnd } from '../vault/index.ts';

/**
 * Adds a piece to a text with one empty line around it. On top means below the frontmatter and a leading comment, and
 * below a leading title, too, unless headings are entries (`isLog`); there a day that is on top already is not written a
 * second time. Returns the text and the first and last line added.
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
  const added = `${withoutEnd(own, '\n').replaceAll('\n', endOfLine)}${endOfLine}`;
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

/** What a text lacks at its end to finish with an empty line. */
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

/** How long the heading of the day is, in a log and in what is to go under it; nothing where the two do not go together. */
function dayOnTop(log: string, piece: string): { inText: number; inPiece: number } {
  const [present = '', heading = ''] = firstHeading.exec(log) ?? [];
  const [own = '', named = ''] = firstHeading.exec(piece) ?? [];
  const rest = piece.slice(own.length);
  const day = dayOf(named);
  const isSame = day !== null && day === dayOf(heading) && [day, heading.trim()].includes(named.trim());
  return isSame && rest.trim() !== '' && !hasTitle(rest)
    ? { inText: present.length, inPiece: own.length }
    : { inText: 0, inPiece: 0 };
}

function hasTitle(text: string): boolean {
  const outline = startOutline();
  return splitLines(text).some((line) => outline(line).heading?.level === 1);
}
