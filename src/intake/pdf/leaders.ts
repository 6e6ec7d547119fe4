import type { Piece } from './flow.ts';

const leader = /\s*(?:\.\s?){4,}[\s\d.,–ivxl-]*$/;

/** A line of a table of contents: `Cleaning . . . . . . 12`. */
export function hasLeader(text: string): boolean {
  return leader.test(text);
}

/** Without the dots, and the number of a page that markdown does not have. */
export function withoutLeader(pieces: readonly Piece[]): Piece[] {
  let left = leader.exec(pieces.map(({ text }) => text).join(''))?.index ?? Infinity;
  return pieces.flatMap((piece) => {
    const text = piece.text.slice(0, Math.max(0, left));
    left -= piece.text.length;
    return text === '' ? [] : [{ ...piece, text }];
  });
}
