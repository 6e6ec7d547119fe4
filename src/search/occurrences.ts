import { ideograph, stemOf } from './words.ts';

/** Where a word of the query stands in a folded text. */
export type Occurrence = { stem: string; start: number; end: number };

const letter = /[\p{L}\p{N}\p{M}]/u;

/**
 * All inflections of the stems in a folded text, in order. Looks for the stems and not at every word: texts are long
 * and queries short.
 */
export function occurrencesIn(text: string, stems: Iterable<string>): Occurrence[] {
  const found: Occurrence[] = [];
  for (const stem of stems) {
    const isWord = !ideograph.test(stem);
    for (let start = text.indexOf(stem); start >= 0; start = text.indexOf(stem, start + 1)) {
      if (isWord && start > 0 && letter.test(text.charAt(start - 1))) continue;
      let end = start + stem.length;
      if (isWord) while (end < text.length && letter.test(text.charAt(end))) end += 1;
      if (!isWord || stemOf(text.slice(start, end)) === stem) found.push({ stem, start, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}
