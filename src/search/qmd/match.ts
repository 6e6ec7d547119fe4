import type { Query } from '../query.ts';

/**
 * A query as FTS5 reads it, each word as it was typed, because FTS5 folds fewer of them. The path, which QMD indexes as
 * well, is left out. Null when there is nothing to look for.
 */
export function matchAny({ terms, accented, phrases, excluded }: Query): string | null {
  if (terms.length === 0) return null;
  const any = terms.map((term) => quote([accented.get(term) ?? term])).join(' OR ');
  // A phrase must be there; as one of the alternatives it counts for the rank, too.
  const required = phrases.map((phrase) => `${quote(phrase)} AND `).join('');
  return inText(`${required}(${any})`, excluded);
}

/** The same, but every word must be there. */
export function matchAll({ terms, accented, phrases, excluded }: Query): string | null {
  if (terms.length + phrases.length < 2) return null;
  return inText(
    [...terms.map((term) => [accented.get(term) ?? term]), ...phrases].map(quote).join(' AND '),
    excluded,
  );
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
