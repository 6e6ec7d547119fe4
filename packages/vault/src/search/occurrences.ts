import type { Query } from './query.ts';
import { cjkCharacter, stemTerm } from './tokenizer.ts';

/** Matches the words of a text against one term of the query. */
export type TermMatcher = {
  /** The stem of the query term, even if the matcher looks for a correction of it. */
  stem: string;
  /** Every matching word starts with these letters. */
  beginning: string;
  /** Weight of a word that starts with `beginning`: 1 for an exact match, 0 for no match. */
  strengthOf: (found: string) => number;
};

/** An occurrence of a query term in normalized text. */
export type Occurrence = { stem: string; start: number; end: number; strength: number };

/** Tuned by experiment, like the ranking weights. */
const matchWeights = { same: 1, inflected: 0.75, sameBeginning: 0.3, misspelt: 0.7 };
/** Share of a stem's letters that related words must have in common. */
const prefixShare = 0.75;
const minPrefixLength = 4;

/**
 * Creates the matchers for each term of a query: for the term, its inflections and related words, or for its
 * corrections.
 */
export function createTermMatchers({ terms, prefixes, corrections }: Query): TermMatcher[] {
  return terms.flatMap((term) => {
    if (prefixes.has(term))
      return [{ stem: stemTerm(term), beginning: term, strengthOf: () => matchWeights.same }];
    const words = corrections.get(term);
    if (words === undefined) return [createWordMatcher(term, stemTerm(term), 1)];
    return words.map((word) => createWordMatcher(word, stemTerm(term), matchWeights.misspelt));
  });
}

function createWordMatcher(word: string, key: string, factor: number): TermMatcher {
  const stem = stemTerm(word);
  const isLong = stem.length > minPrefixLength && !/\d/.test(stem) && !cjkCharacter.test(stem);
  const length = isLong ? Math.max(minPrefixLength, Math.ceil(stem.length * prefixShare)) : stem.length;
  const known = new Map([[word, factor]]);
  const compare = (found: string): number => {
    if (stemTerm(found) === stem) return factor * matchWeights.inflected;
    return stem.length < minPrefixLength ? 0 : factor * matchWeights.sameBeginning;
  };
  return {
    stem: key,
    beginning: stem.slice(0, length),
    strengthOf(found) {
      const strength = known.get(found) ?? compare(found);
      known.set(found, strength);
      return strength;
    },
  };
}

/**
 * Finds all occurrences in normalized text, in order. Searching for prefixes is faster than tokenizing, because texts
 * are long and queries short.
 */
export function findOccurrences(text: string, wanted: readonly TermMatcher[]): Occurrence[] {
  const found: Occurrence[] = [];
  for (const { stem, beginning, strengthOf } of wanted) {
    // In scripts without spaces, a term matches at any position.
    const isWord = !cjkCharacter.test(beginning);
    for (let start = text.indexOf(beginning); start >= 0; start = text.indexOf(beginning, start + 1)) {
      if (isWord && isLetter(text, start - 1)) continue;
      let end = start + beginning.length;
      if (isWord) while (isLetter(text, end)) end += 1;
      const strength = isWord ? strengthOf(text.slice(start, end)) : matchWeights.same;
      if (strength > 0) found.push({ stem, start, end, strength });
    }
  }
  return found.toSorted((a, b) => a.start - b.start);
}

const letter = /[\p{L}\p{N}\p{M}]/u;

/** Whether text has a letter or digit at this position. */
export function isLetter(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128)
    return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
  return code >= 128 && letter.test(text.charAt(at));
}
