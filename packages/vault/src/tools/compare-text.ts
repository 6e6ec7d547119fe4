import { showLine } from '../vault/index.ts';

/** A line in the form in which `edit` compares it: as it is shown, composed (NFC) and without byte order marks. */
export function comparableLine(line: string): string {
  return showLine(line, 1).replaceAll('\ufeff', '').normalize('NFC');
}

/** A text to search in. `originOf` gives the place in the text that it was made from. */
type Searchable = { text: string; originOf: (at: number) => number; isBoundary: (at: number) => boolean };

/** A character with the marks that belong to it; the vowels and finals of decomposed Hangul compose as marks do. */
const characters = /[^][\p{M}\u1160-\u11ff]*/gu;

/**
 * A text as it is shown and composed (NFC), so that a piece of it is found whichever way its accents are encoded. A place
 * is a boundary unless it is between a character and its marks.
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
