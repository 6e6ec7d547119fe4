import { hasSpace } from './line.ts';
import type { Line } from './line.ts';
import { division } from './mend-words.ts';
import type { Run, Style } from './run.ts';

/** Words of one look. `\n` is a line break that somebody made. */
export type Piece = Style & { text: string; isRaised: boolean; link?: string };

/** How far lines may reach. */
export type Edges = { left: number; right: number };

export const noEdges: Edges = { left: Infinity, right: -Infinity };

/** The words of lines that follow each other, as one text. */
export function flow(lines: readonly Line[], edgesOf: (line: Line) => Edges): Piece[] {
  const areSingle = lines.length > 1 && lines.every(isSingle);
  const pieces: Piece[] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (before !== undefined)
      joinLines(pieces, before, line, areSingle || isBroken(before, line, edgesOf(before)));
    line.runs.forEach((run, at) => {
      if (at > 0 && hasSpace(line.runs[at - 1], run))
        push(pieces, { ...pieceOf(run, line), text: ' ' }, true);
      push(pieces, pieceOf(run, line));
    });
  });
  return pieces;
}

function pieceOf(run: Run, line: Line): Piece {
  const isRaised =
    run.size < line.size * 0.8 && run.y < line.y + line.size * 0.05 && /^[\d*,()]{1,4}$/.test(run.text);
  return { ...run.style, text: run.text, isRaised, ...(run.link !== undefined && { link: run.link }) };
}

/** Lines of an address, say: each begins as if it were alone. */
function isSingle({ text }: Line, index: number): boolean {
  return text.length < 42 && (index === 0 || /^[\p{Lu}\d+(«]/u.test(text));
}

function joinLines(pieces: Piece[], before: Line, after: Line, isEnd: boolean): void {
  const last = pieces.at(-1);
  if (last === undefined) return;
  if (/\p{L}[-\u2010\u00AD]$/u.test(last.text) && /^\p{Ll}/u.test(after.text)) {
    last.text = `${last.text.slice(0, -1)}${division}`;
  } else if (isEnd) {
    push(pieces, { ...last, text: '\n' }, true);
  } else if (!/[\u3040-\u30FF\u3400-\u9FFF]$/.test(before.text)) {
    push(pieces, { ...last, text: ' ' }, true);
  }
}

/** Whether the first word of the next line would have had its place in this one. */
export function isBroken(before: Line, after: Line, { left, right }: Edges): boolean {
  const [word = ''] = after.text.split(' ', 1);
  const letter = (after.right - after.left) / Math.max(after.text.length, 1);
  const needed = letter * (word.length + 1) + before.size * 0.6;
  return before.isRtl ? before.left - needed > left : before.right + needed < right;
}

/** What is left of a line. */
export function roomIn(line: Line | undefined, { left, right }: Edges): number {
  if (line === undefined) return Infinity;
  return line.isRtl ? line.left - left : right - line.right;
}

/** A space takes the look of what it follows, so that it ends nothing. */
function push(pieces: Piece[], piece: Piece, isSpace = false): void {
  const last = pieces.at(-1);
  if (last === undefined) {
    if (!isSpace) pieces.push(piece);
  } else if (isSpace || isAlike(last, piece)) last.text += piece.text;
  else pieces.push(piece);
}

function isAlike(a: Piece, b: Piece): boolean {
  return (
    a.isBold === b.isBold &&
    a.isItalic === b.isItalic &&
    a.isMono === b.isMono &&
    a.isRaised === b.isRaised &&
    a.link === b.link
  );
}
