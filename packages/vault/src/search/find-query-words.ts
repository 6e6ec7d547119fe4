import { createTermMatchers } from './occurrences.ts';
import { parseQuery } from './query.ts';
import { removeFilters } from './query-filters.ts';
import { normalizeText } from './tokenizer.ts';

/** Weaker matches, such as words with a common prefix, are not marked. */
const minMarkedStrength = 0.7;

/** Creates a function that finds the words of the queries in a text, also with other endings, as ranges of characters. */
export function createWordFinder(
  queries: readonly string[],
): (text: string) => { start: number; end: number }[] {
  const matchers = queries.flatMap((query) => createTermMatchers(parseQuery(removeFilters(query))));
  const isWanted = (word: string): boolean =>
    matchers.some(
      ({ beginning, strengthOf }) => word.startsWith(beginning) && strengthOf(word) >= minMarkedStrength,
    );
  return (text) =>
    [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ 0: word, index }) =>
      isWanted(normalizeText(word)) ? [{ start: index, end: index + word.length }] : [],
    );
}
