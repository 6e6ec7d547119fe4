import { spellingVariants } from './query.ts';
import type { Query } from './query.ts';
import type { ChunkIndex } from './chunk-index.ts';
import { cjkCharacter } from './tokenizer.ts';

/** Shorter terms have too many neighbors at edit distance 1 to be useful. */
const minLength = { prefix: 3, correction: 4 };
/** A longer term was pasted rather than mistyped, and generates too many edits to look up. */
const maxCorrectionLength = 25;
/** Maximum number of terms corrected per query. Each correction blocks the event loop for a few milliseconds. */
const maxCorrectedTerms = 4;

/**
 * Treats each term that does not occur in the index as typed without umlauts (`kaese`) if the index has that word, or as a
 * prefix if indexed words start with it; otherwise looks for corrections at edit distance 1.
 */
export function correctQuery(
  query: Query,
  words: Pick<ChunkIndex, 'documentFrequency' | 'findIndexedPrefix' | 'similarTerms'>,
): Query {
  const nowhere = query.terms.filter(
    (term) =>
      !query.prefixes.has(term) &&
      !cjkCharacter.test(term) &&
      spellingVariants(term).every((spelling) => words.documentFrequency(spelling) === 0),
  );
  if (nowhere.length === 0) return query;
  const prefixes = new Set(query.prefixes);
  const corrections = new Map<string, string[]>();
  const misspelled = new Set<string>();
  for (const term of nowhere) {
    // A number that does not occur is never corrected to another number.
    if (/\d/.test(term)) continue;
    const withoutUmlauts = term.replaceAll(/([aou])e/g, '$1');
    if (withoutUmlauts !== term && words.documentFrequency(withoutUmlauts) > 0)
      corrections.set(term, [withoutUmlauts]);
    else if (term.length >= minLength.prefix && words.findIndexedPrefix(term) === term) prefixes.add(term);
    else if (
      term.length >= minLength.correction &&
      term.length <= maxCorrectionLength &&
      misspelled.size < maxCorrectedTerms
    ) {
      misspelled.add(term);
      const alike = words.similarTerms(term);
      if (alike.length > 0) corrections.set(term, alike);
    }
  }
  return { ...query, prefixes, corrections, misspelled };
}
