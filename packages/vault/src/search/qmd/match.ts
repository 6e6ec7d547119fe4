import { spellingsOf } from '../query.ts';
import type { Query } from '../query.ts';

type BeginningOf = (prefix: string) => string | null;

/**
 * A query as FTS5 reads it, each word as it was typed, because FTS5 folds fewer of them. The path, which QMD indexes as
 * well, is left out. Null when there is nothing to look for.
 */
export function matchAny(query: Query, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  const any = terms.flatMap((term) => spellings(term, query, beginningOf));
  if (any.length === 0) return null;
  // A phrase must be there; as one of the alternatives it counts for the rank, too.
  const required = phrases.map((phrase) => `${quote(phrase)} AND `).join('');
  return inText(`${required}(${any.join(' OR ')})`, excluded);
}

/** The same, but every word must be there. */
export function matchAll(query: Query, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  if (terms.length + phrases.length < 2) return null;
  const all = terms.map((term) => spellings(term, query, beginningOf));
  if (all.some((each) => each.length === 0)) return null;
  return inText(
    [...all.map((each) => `(${each.join(' OR ')})`), ...phrases.map(quote)].join(' AND '),
    excluded,
  );
}

/** All that stands for a word in the index; nothing for the start of words that are not there. */
function spellings(term: string, { accented, prefixes, meant }: Query, beginningOf: BeginningOf): string[] {
  if (prefixes.has(term))
    return spellingsOf(term, accented).flatMap((spelling) => {
      const beginning = beginningOf(spelling);
      return beginning === null ? [] : [`${quote([beginning])} *`];
    });
  return (meant.get(term) ?? spellingsOf(term, accented)).map((word) => quote([word]));
}

/** The words of the whole query, one behind the other. */
export function matchLiteral(words: readonly string[]): string | null {
  return words.length < 2 || words.length > 20 ? null : inText(quote(words), []);
}

function inText(expression: string, excluded: readonly string[][]): string {
  const without = excluded.length === 0 ? '' : ` NOT (${excluded.map(quote).join(' OR ')})`;
  return `{title body} : ((${expression})${without})`;
}

/** Words are letters and digits only, so nothing in them can end the quotes. */
function quote(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
