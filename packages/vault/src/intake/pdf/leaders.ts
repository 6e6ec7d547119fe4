import type { Piece } from './flow.ts';

const dots = /(?:\.\s?){4}/;
const besideDots = /[\s\d.,–ivxl-]/;

/** A line of a table of contents: `Cleaning . . . . . . 12`. */
export function hasLeader(text: string): boolean {
  return placeOfLeader(text) !== null;
}

/** Where the dots begin, with the blanks before them. Looked for from the end, so that no text takes long. */
function placeOfLeader(text: string): number | null {
  let start = text.length;
  while (start > 0 && besideDots.test(text.charAt(start - 1))) start -= 1;
  const found = dots.exec(text.slice(start));
  return found && start + text.slice(start, start + found.index).trimEnd().length;
}

/** Without the dots, and the number of a page that markdown does not have. */
export function withoutLeader(pieces: readonly Piece[]): Piece[] {
  let left = placeOfLeader(pieces.map(({ text }) => text).join('')) ?? Infinity;
  return pieces.flatMap((piece) => {
    const text = piece.text.slice(0, Math.max(0, left));
    left -= piece.text.length;
    return text === '' ? [] : [{ ...piece, text }];
  });
}
