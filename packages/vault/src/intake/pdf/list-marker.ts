import type { TextSpan } from './merge-lines.ts';

const bullet = /^[•◦▪▫‣●○■□·➢➤✓✔❖–—-]\s+(?=\S)/;
const number = /^(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)]|\(?[A-Z]\))\s+(?=\S)/;

/** The list marker at the start of a line: a bullet, `3.`, `b)`; empty if there is none. */
export function markerOf(text: string): string {
  return bullet.exec(text)?.[0].trim() ?? number.exec(text)?.[0].trim() ?? /^[•▪●■◦‣]$/.exec(text)?.[0] ?? '';
}

export function withoutMarker(pieces: readonly TextSpan[], marker: string): TextSpan[] {
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
