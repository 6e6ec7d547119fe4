import { spellingsOf } from './query.ts';
import type { Query } from './query.ts';
import type { SectionIndex } from './section-index.ts';
import { ideograph } from './words.ts';

/** A shorter word has too many others one letter away. */
const shortest = { prefix: 3, alike: 4 };
/** A longer one was not mistyped but pasted, and has more words one letter away than can be looked up. */
const longestAlike = 25;
/** How many words of a query are looked up so; each takes some milliseconds, in which nobody else is answered. */
const mostAlike = 4;

/** A word that is nowhere stands for those it begins, else for those that differ from it by one letter. */
export function completeQuery(
  query: Query,
  words: Pick<SectionIndex, 'frequency' | 'beginning' | 'alike'>,
): Query {
  const nowhere = query.terms.filter(
    (term) =>
      !query.prefixes.has(term) &&
      !ideograph.test(term) &&
      spellingsOf(term, query.accented).every((spelling) => words.frequency(spelling) === 0),
  );
  if (nowhere.length === 0) return query;
  const prefixes = new Set(query.prefixes);
  const meant = new Map<string, string[]>();
  let looked = 0;
  for (const term of nowhere) {
    // A number that is nowhere means no other.
    if (/\d/.test(term)) continue;
    if (term.length >= shortest.prefix && words.beginning(term) === term) prefixes.add(term);
    else if (term.length >= shortest.alike && term.length <= longestAlike && looked < mostAlike) {
      looked += 1;
      const alike = words.alike(term);
      if (alike.length > 0) meant.set(term, alike);
    }
  }
  return { ...query, prefixes, meant };
}
