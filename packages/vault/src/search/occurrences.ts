import type { Query } from './query.ts';
import { ideograph, stemOf } from './words.ts';

/** Something to look for in a text on account of a word of the query. */
export type Wanted = {
  /** That of the word in the query, whatever is taken for it. */
  stem: string;
  /** Letters that all of what is looked for begins with. */
  beginning: string;
  /** How much a word with that beginning is what was meant: 1 for the very same, 0 for another. */
  strengthOf: (found: string) => number;
};

/** Where a word of the query stands in a folded text. */
export type Occurrence = { stem: string; start: number; end: number; strength: number };

/** Found by trying, as the weights of the ranking are. */
const strengths = { same: 1, inflected: 0.75, sameBeginning: 0.3, misspelt: 0.7 };
/** Of the letters of a stem, how many make the beginning that related words share. */
const beginningShare = 0.75;
const shortestBeginning = 4;

/** What to look for, for each word of a query: itself, its inflections and relatives, or what it must have meant. */
export function wantedBy({ terms, prefixes, meant }: Query): Wanted[] {
  return terms.flatMap((term) => {
    if (prefixes.has(term))
      return [{ stem: stemOf(term), beginning: term, strengthOf: () => strengths.same }];
    const words = meant.get(term);
    if (words === undefined) return [wordLike(term, stemOf(term), 1)];
    return words.map((word) => wordLike(word, stemOf(term), strengths.misspelt));
  });
}

function wordLike(word: string, key: string, factor: number): Wanted {
  const stem = stemOf(word);
  const isLong = stem.length > shortestBeginning && !/\d/.test(stem) && !ideograph.test(stem);
  const length = isLong ? Math.max(shortestBeginning, Math.ceil(stem.length * beginningShare)) : stem.length;
  return {
    stem: key,
    beginning: stem.slice(0, length),
    strengthOf(found) {
      if (found === word) return factor;
      if (stemOf(found) === stem) return factor * strengths.inflected;
      return stem.length < shortestBeginning ? 0 : factor * strengths.sameBeginning;
    },
  };
}

/**
 * All that a folded text has of what is wanted, in order. Looks for beginnings and not at every word: texts are long and
 * queries short.
 */
export function occurrencesIn(text: string, wanted: readonly Wanted[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { stem, beginning, strengthOf } of wanted) {
    // A word of a script without spaces is found wherever it stands.
    const isWord = !ideograph.test(beginning);
    for (let start = text.indexOf(beginning); start >= 0; start = text.indexOf(beginning, start + 1)) {
      if (isWord && isLetter(text, start - 1)) continue;
      let end = start + beginning.length;
      if (isWord) while (isLetter(text, end)) end += 1;
      const strength = isWord ? strengthOf(text.slice(start, end)) : strengths.same;
      if (strength > 0) found.push({ stem, start, end, strength });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

const letter = /[\p{L}\p{N}\p{M}]/u;

/** Whether there is a letter or digit at this place of a folded text. */
function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return code >= 128 && letter.test(text.charAt(at));
}
