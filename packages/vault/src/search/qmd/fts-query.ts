import { spellingVariants } from '../query.ts';
import type { Query } from '../query.ts';

type BeginningOf = (prefix: string) => string | null;

/**
 * Builds an FTS5 expression that matches any term. Terms keep their original spelling, because FTS5 normalizes less
 * than we do. The path, which the search library QMD also indexes, is not searched. Null if there is nothing to search
 * for.
 */
export function buildOrQuery(query: Query, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  const any = terms.flatMap((term) => spellings(term, query, beginningOf));
  if (any.length === 0) return null;
  // Phrases are required; their words are also terms, so that they count for the rank.
  const required = phrases.map((phrase) => `${quote(phrase)} AND `).join('');
  return restrictColumns(`${required}(${any.join(' OR ')})`, excluded);
}

/** Like `buildOrQuery`, but requires every term. */
export function buildAndQuery(query: Query, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  if (terms.length + phrases.length < 2) return null;
  const all = terms.map((term) => spellings(term, query, beginningOf));
  if (all.some((each) => each.length === 0)) return null;
  return restrictColumns(
    [...all.map((each) => `(${each.join(' OR ')})`), ...phrases.map(quote)].join(' AND '),
    excluded,
  );
}

/** All indexed forms of a term; empty for a prefix that no indexed word starts with. */
function spellings(
  term: string,
  { accentedForms, prefixes, corrections }: Query,
  beginningOf: BeginningOf,
): string[] {
  if (prefixes.has(term))
    return spellingVariants(term, accentedForms).flatMap((spelling) => {
      const beginning = beginningOf(spelling);
      return beginning === null ? [] : [`${quote([beginning])} *`];
    });
  return (corrections.get(term) ?? spellingVariants(term, accentedForms)).map((word) => quote([word]));
}

/** Matches the words of the whole query as one phrase. */
export function buildPhraseQuery(words: readonly string[]): string | null {
  return words.length < 2 || words.length > 20 ? null : restrictColumns(quote(words), []);
}

function restrictColumns(expression: string, excluded: readonly string[][]): string {
  const without = excluded.length === 0 ? '' : ` NOT (${excluded.map(quote).join(' OR ')})`;
  return `{title body} : ((${expression})${without})`;
}

/** Words consist of letters and digits only, so they cannot contain a quote. */
function quote(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
