import { hasSpace } from './line.ts';
import type { Line } from './line.ts';
import { softHyphen } from './rejoin-hyphenation.ts';
import type { Run, Style } from './run.ts';

/** Text in one style. `\n` is a deliberate line break. */
export type TextSpan = Style & { text: string; isRaised: boolean; link?: string };

/** The horizontal limits of lines. */
export type Margins = { left: number; right: number };

export const noMargins: Margins = { left: Infinity, right: -Infinity };

/** Joins consecutive lines into one text. */
export function mergeLines(lines: readonly Line[], edgesOf: (line: Line) => Margins): TextSpan[] {
  const areSingle = lines.length > 1 && lines.every(isStandalone);
  const pieces: TextSpan[] = [];
  lines.forEach((line, index) => {
    const before = lines[index - 1];
    if (before !== undefined)
      joinLinePair(pieces, before, line, areSingle || hasManualBreak(before, line, edgesOf(before)));
    line.runs.forEach((run, at) => {
      if (at > 0 && hasSpace(line.runs[at - 1], run))
        appendSpan(pieces, { ...pieceOf(run, line), text: ' ' }, true);
      appendSpan(pieces, pieceOf(run, line));
    });
  });
  return pieces;
}

function pieceOf(run: Run, line: Line): TextSpan {
  const isRaised =
    run.size < line.size * 0.8 && run.y < line.y + line.size * 0.05 && /^[\d*,()]{1,4}$/.test(run.text);
  return { ...run.style, text: run.text, isRaised, ...(run.link !== undefined && { link: run.link }) };
}

/** Whether a line looks independent, such as a line of a postal address. */
function isStandalone({ text }: Line, index: number): boolean {
  return text.length < 42 && (index === 0 || /^[\p{Lu}\d+(«]/u.test(text));
}

function joinLinePair(pieces: TextSpan[], before: Line, after: Line, isEnd: boolean): void {
  const last = pieces.at(-1);
  if (last === undefined) return;
  if (/\p{L}[-\u2010\u00AD]$/u.test(last.text) && /^\p{Ll}/u.test(after.text)) {
    last.text = `${last.text.slice(0, -1)}${softHyphen}`;
  } else if (isEnd) {
    appendSpan(pieces, { ...last, text: '\n' }, true);
  } else if (!/[\u3040-\u30FF\u3400-\u9FFF]$/.test(before.text)) {
    appendSpan(pieces, { ...last, text: ' ' }, true);
  }
}

/** Whether the first word of the next line would have fit into this one. */
export function hasManualBreak(before: Line, after: Line, { left, right }: Margins): boolean {
  const [word = ''] = after.text.split(' ', 1);
  const letter = (after.right - after.left) / Math.max(after.text.length, 1);
  const needed = letter * (word.length + 1) + before.size * 0.6;
  return before.isRtl ? before.left - needed > left : before.right + needed < right;
}

/** The free width at the end of a line. */
export function remainingWidth(line: Line | undefined, { left, right }: Margins): number {
  if (line === undefined) return Infinity;
  return line.isRtl ? line.left - left : right - line.right;
}

/** A space takes the style of the preceding span, so that it does not end that span. */
function appendSpan(pieces: TextSpan[], piece: TextSpan, isSpace = false): void {
  const last = pieces.at(-1);
  if (last === undefined) {
    if (!isSpace) pieces.push(piece);
  } else if (isSpace || hasSameStyle(last, piece)) last.text += piece.text;
  else pieces.push(piece);
}

function hasSameStyle(a: TextSpan, b: TextSpan): boolean {
  return (
    a.isBold === b.isBold &&
    a.isItalic === b.isItalic &&
    a.isMono === b.isMono &&
    a.isRaised === b.isRaised &&
    a.link === b.link
  );
}
