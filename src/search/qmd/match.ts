import type { Query } from '../query.ts';

/** A query as FTS5 reads it; the path, which QMD indexes as well, is left out. Null when there is nothing to look for. */
export function matchAny({ terms, phrases, excluded }: Query): string | null {
  if (terms.length === 0) return null;
  const any = terms.map((term) => quote([term])).join(' OR ');
  // A phrase must be there; as one of the alternatives it counts for the rank, too.
  const required = phrases.map((phrase) => `${quote(phrase)} AND `).join('');
  return inText(`${required}(${any})`, excluded);
}

/** The same, but every word must be there. */
export function matchAll({ terms, phrases, excluded }: Query): string | null {
  if (terms.length + phrases.length < 2) return null;
  return inText([...terms.map((term) => [term]), ...phrases].map(quote).join(' AND '), excluded);
}

/** The words of the whole query, one behind the other. */
export function matchLiteral(words: readonly string[]): string | null {
  return words.length < 2 || words.length > 20 ? null : inText(quote(words), []);
}

function inText(expression: string, excluded: readonly string[][]): string {
  const without = excluded.map((words) => ` NOT ${quote(words)}`).join('');
  return `{title body} : ((${expression})${without})`;
}

/** Words are letters and digits only, so nothing in them can end the quotes. */
function quote(words: readonly string[]): string {
  return `"${words.join(' ')}"`;
}
