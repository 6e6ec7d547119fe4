import type { Embedder } from '../models/index.ts';

/** The part of a chunk that has one vector, with the zero-based range of lines it covers in the body. */
export type Window = { text: string; first: number; last: number };

/**
 * In characters. Shorter than the model allows, because a vector of a single thought is closer to a question than a
 * vector of many.
 */
const windowCharacters = 450;
/** Chunks are split at line breaks, so only one extremely long line, which is not prose, could have more windows. */
const maxWindows = 200;

/**
 * Splits a chunk into windows of whole lines; a line that is too long is split after a sentence, otherwise after a
 * word. Each window starts with the heading path. The split is deterministic, so it is not stored with the vectors.
 */
export function splitIntoWindows(
  headingPath: string,
  body: string,
  { contextTokens }: Pick<Embedder, 'contextTokens'>,
): Window[] {
  const most = Math.max(100, Math.min(windowCharacters, contextTokens * 4 - headingPath.length - 1));
  const windows: Window[] = [];
  let open: Window | null = null;
  for (const [line, text] of body.split('\n').entries()) {
    if (text.trim() === '') continue;
    for (const piece of splitLongLine(text, most)) {
      if (open !== null && open.text.length + 1 + piece.length <= most) {
        open.text += `\n${piece}`;
        open.last = line;
      } else windows.push((open = { text: piece, first: line, last: line }));
    }
  }
  if (windows.length === 0) windows.push({ text: '', first: 0, last: 0 });
  return windows
    .slice(0, maxWindows)
    .map((window) => ({ ...window, text: `${headingPath}\n${window.text}` }));
}

function splitLongLine(line: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > most) {
    const end = breakPosition(rest.slice(0, most));
    pieces.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? pieces : [...pieces, rest];
}

/**
 * Where to split: after the last sentence that ends in the second half, otherwise after the last word, otherwise at
 * the end.
 */
function breakPosition(text: string): number {
  for (const ending of [/[.!?…。！？]["'»”)\]]*\s/g, /\s/g]) {
    const ends = [...text.matchAll(ending)].map(({ index, 0: match }) => index + match.length);
    const last = ends.at(-1) ?? 0;
    if (last > text.length / 2) return last;
  }
  return text.length;
}
