import { partsOf, spellingVariants } from '../query.ts';
import type { Query } from '../query.ts';

type BeginningOf = (prefix: string) => string | null;

/** Dates in digits as their words, for example `["2025", "07", "14"]`. */
export type DigitDates = readonly (readonly string[])[];

/**
 * Builds an FTS5 expression that matches any term or date. The path, which the search library QMD also indexes, is not
 * searched. Null if there is nothing to search for.
 */
function buildOrQuery(query: Query, dates: DigitDates, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  const any = [...terms.flatMap((term) => spellings(term, query, beginningOf)), ...dates.map(quote)];
  if (any.length === 0) return null;
  // Phrases are required; their words are also terms, so that they count for the rank.
  const required = phrases.map((phrase) => `${quotePhrase(phrase)} AND `).join('');
  return restrictColumns(`${required}(${any.join(' OR ')})`, excluded);
}

/**
 * Builds an FTS5 expression that finds chunks by rare terms and dates and ranks them by all terms: FTS5 scores every term of
 * an expression, but visits only the chunks that the first part of an AND matches.
 */
export function buildRareTermsQuery(
  query: Query,
  { rareTerms, dates }: { rareTerms: readonly string[]; dates: DigitDates },
  beginningOf: BeginningOf,
): string | null {
  const rare = buildOrQuery({ ...query, terms: [...rareTerms] }, dates, beginningOf);
  if (rare === null || (rareTerms.length === query.terms.length && dates.length === 0)) return rare;
  const all = buildOrQuery({ ...query, phrases: [], excluded: [] }, dates, beginningOf);
  return all === null ? rare : `(${rare}) AND (${all})`;
}

/** Like `buildOrQuery`, but requires every term. */
export function buildAndQuery(query: Query, beginningOf: BeginningOf): string | null {
  const { terms, phrases, excluded } = query;
  if (terms.length + phrases.length < 2) return null;
  const all = terms.map((term) => spellings(term, query, beginningOf));
  if (all.some((each) => each.length === 0)) return null;
  return restrictColumns(
    [...all.map((each) => `(${each.join(' OR ')})`), ...phrases.map(quotePhrase)].join(' AND '),
    excluded,
  );
}

/** All indexed forms of a term; empty for a prefix that no indexed word starts with. */
function spellings(term: string, { prefixes, corrections }: Query, beginningOf: BeginningOf): string[] {
  if (prefixes.has(term))
    return spellingVariants(term).flatMap((spelling) => {
      const beginning = beginningOf(spelling);
      return beginning === null ? [] : [`${quote([beginning])} *`];
    });
  return (corrections.get(term) ?? spellingVariants(term)).map((word) => quote([word]));
}

/**
 * Builds an FTS5 expression for each part of a query (see `partsOf`), which finds it in texts, also with another ending. Null for a
 * part that no text contains.
 */
export function buildPartQueries(query: Query, beginningOf: BeginningOf): (string | null)[] {
  const { words, phrases } = partsOf(query);
  return [
    ...words.map((word) => spellings(word, query, beginningOf).join(' OR ')),
    ...phrases.map(quotePhrase),
  ].map((part) => (part === '' ? null : `{body} : (${part})`));
}

/** Matches terms in the headings and names only; null for long queries, which name nothing. */
export function buildTitleQuery(
  query: Query,
  operator: 'AND' | 'OR',
  beginningOf: BeginningOf,
): string | null {
  const { terms, excluded } = query;
  if (terms.length === 0 || terms.length > maxTitleTerms) return null;
  const all = terms.map((term) => spellings(term, query, beginningOf));
  const given = operator === 'AND' ? all : all.filter((each) => each.length > 0);
  if (given.length === 0 || given.some((each) => each.length === 0)) return null;
  const expression = given.map((each) => `(${each.join(' OR ')})`).join(` ${operator} `);
  const without = excluded.length === 0 ? '' : ` NOT (${excluded.map(quote).join(' OR ')})`;
  return `({title} : (${expression}))${without}`;
}

const maxTitleTerms = 6;

/** Matches the words of the whole query as one phrase. */
export function buildPhraseQuery(words: readonly string[]): string | null {
  return words.length < 2 || words.length > 20 ? null : restrictColumns(quote(words), []);
}

function restrictColumns(expression: string, excluded: readonly string[][]): string {
  const without = excluded.length === 0 ? '' : ` NOT (${excluded.map(quote).join(' OR ')})`;
  return `{title body} : ((${expression})${without})`;
}

function quotePhrase(words: readonly string[]): string {
  return `(${spellingVariants(words.join(' '))
    .map((spelling) => quote([spelling]))
    .join(' OR ')})`;
}

/** Words consist of letters and digits only, so they cannot contain a quote. */
function quote(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
