import type { TextSpan } from './merge-lines.ts';

const dots = /(?:\.\s?){4}/;
const besideDots = /[\s\d.,–ivxl-]/;

/** Whether a line is an entry of a table of contents: `Cleaning . . . . . . 12`. */
export function hasDotLeader(text: string): boolean {
  return findDotLeader(text) !== null;
}

/** The offset of the dots, including the blanks before them. Searches from the end, so that the time stays linear. */
function findDotLeader(text: string): number | null {
  let start = text.length;
  while (start > 0 && besideDots.test(text.charAt(start - 1))) start -= 1;
  const found = dots.exec(text.slice(start));
  return found && start + text.slice(start, start + found.index).trimEnd().length;
}

/** Removes the dots and the page number, which has no meaning in markdown. */
export function removeDotLeader(pieces: readonly TextSpan[]): TextSpan[] {
  let left = findDotLeader(pieces.map(({ text }) => text).join('')) ?? Infinity;
  return pieces.flatMap((piece) => {
    const text = piece.text.slice(0, Math.max(0, left));
    left -= piece.text.length;
    return text === '' ? [] : [{ ...piece, text }];
  });
}
