import { showLine } from '../vault/index.ts';

/** Normalizes a line for comparison in `edit`: as shown, composed (NFC) and without byte order marks. */
export function comparableLine(line: string): string {
  return showLine(line, 1).replaceAll('\ufeff', '').normalize('NFC');
}

/** A normalized text to search in. `originOf` maps an offset to the original text. */
type Searchable = { text: string; originOf: (at: number) => number; isBoundary: (at: number) => boolean };

/** A character with its combining marks; the vowels and finals of decomposed Hangul compose like marks. */
const characters = /[^][\p{M}\u1160-\u11ff]*/gu;

/**
 * Normalizes a text as shown and composed (NFC), so that a search matches accents in any encoding. An offset is a boundary
 * unless it is between a character and its combining marks.
 */
export function searchable(original: string): Searchable {
  const shown = original.replaceAll('\r', '␍');
  if (shown.normalize('NFC') === shown)
    return {
      text: shown,
      originOf: (at) => at,
      isBoundary: (at) => !/^\p{M}/u.test(shown.slice(at, at + 2)),
    };
  const parts: string[] = [];
  const origins = new Map<number, number>();
  let length = 0;
  for (const { 0: character, index } of shown.matchAll(characters)) {
    const composed = character.normalize('NFC');
    origins.set(length, index);
    parts.push(composed);
    length += composed.length;
  }
  origins.set(length, shown.length);
  return {
    text: parts.join(''),
    originOf: (at) => origins.get(at) ?? 0,
    isBoundary: (at) => origins.has(at),
  };
}
