import type { Piece } from './flow.ts';

const bullet = /^[•◦▪▫‣●○■□·➢➤✓✔❖–—-]\s+(?=\S)/;
const number = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\(?[A-Z]\))\s+(?=\S)/;

/** What a line that is an item of a list begins with: a bullet, `3.`, `b)`. */
export function markerOf(text: string): string {
  return bullet.exec(text)?.[0].trim() ?? number.exec(text)?.[0].trim() ?? /^[•▪●■◦‣]$/.exec(text)?.[0] ?? '';
}

export function withoutMarker(pieces: readonly Piece[], marker: string): Piece[] {
  let left = marker;
  return pieces
    .map((piece) => {
      const text = piece.text.trimStart();
      const cut = Math.min(left.length, text.length);
      if (left === '' || text.slice(0, cut) !== left.slice(0, cut)) return piece;
      left = left.slice(cut);
      return { ...piece, text: text.slice(cut).trimStart() };
    })
    .filter(({ text }) => text !== '');
}
