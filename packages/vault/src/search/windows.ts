import type { Embedder } from '../models/index.ts';

/** A part of a section that gets a vector of its own, with the lines of the section's body that it covers, from 0. */
export type Window = { text: string; first: number; last: number };

/** In characters. Shorter than a model can read: a vector of one thought is nearer to a question than one of many. */
const usualLength = 450;
/** Sections are cut where lines end; one that is longer than so many windows is a single line, and no prose. */
const mostWindows = 200;

/**
 * Cuts a section into windows of whole lines; a line that is too long is cut at the end of a sentence, else of a word.
 * Each begins with the trail. The same text gives the same windows, so that none of this is stored with the vectors.
 */
export function windowsOf(
  trail: string,
  body: string,
  { contextTokens }: Pick<Embedder, 'contextTokens'>,
): Window[] {
  const most = Math.max(100, Math.min(usualLength, contextTokens * 4 - trail.length - 1));
  const windows: Window[] = [];
  let open: Window | null = null;
  for (const [line, text] of body.split('\n').entries()) {
    if (text.trim() === '') continue;
    for (const piece of piecesOf(text, most)) {
      if (open !== null && open.text.length + 1 + piece.length <= most) {
        open.text += `\n${piece}`;
        open.last = line;
      } else windows.push((open = { text: piece, first: line, last: line }));
    }
  }
  if (windows.length === 0) windows.push({ text: '', first: 0, last: 0 });
  return windows.slice(0, mostWindows).map((window) => ({ ...window, text: `${trail}\n${window.text}` }));
}

function piecesOf(line: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > most) {
    const end = endWithin(rest.slice(0, most));
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? pieces : [...pieces, rest];
}

/** Where to cut: after the last sentence that ends in the second half, else after the last word, else at the end. */
function endWithin(text: string): number {
  for (const ending of [/[.!?…。！？]["'»”)\]]*\s/g, /\s/g]) {
    const ends = [...text.matchAll(ending)].map(({ index, 0: match }) => index + match.length);
    const last = ends.at(-1) ?? 0;
    if (last > text.length / 2) return last;
  }
  return text.length;
}
