import type { EmbeddingPurpose } from './search-models.ts';

/**
 * Part of the fingerprint of every embedding model. Increase it whenever a change below produces different vectors for
 * the same text.
 */
export const prefixVersion = 1;

/** The prefixes that a model was trained with, by purpose. Without them, a search finds much less. */
export type EmbeddingPrefixes = { family: string } & Record<EmbeddingPurpose, string>;

/** Selects the prefixes by the name of the model or of its file. Unknown models get no prefix, and many need none. */
export function embeddingPrefixes(model: string): EmbeddingPrefixes {
  const name = model.toLowerCase();
  const known = families.find(({ pattern }) => pattern.test(name));
  if (known === undefined) return { family: 'none', query: '', document: '' };
  const { family, query, document } = known;
  return { family, query, document };
}

/** The text with its prefix. Empty texts and lone surrogates are replaced, because no model accepts them. */
export function applyPrefix(text: string, use: EmbeddingPurpose, prefixes: EmbeddingPrefixes): string {
  return prefixes[use] + (text.trim() === '' ? '-' : text.toWellFormed());
}

const retrieve =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const represent = 'Represent this sentence for searching relevant passages: ';

// The first match wins, so variants come before their family.
const families: readonly (EmbeddingPrefixes & { pattern: RegExp })[] = [
  {
    family: 'embeddinggemma',
    pattern: /embedding-?gemma/,
    query: 'task: search result | query: ',
    document: 'title: none | text: ',
  },
  {
    family: 'nomic',
    pattern: /nomic-embed-text/,
    query: 'search_query: ',
    document: 'search_document: ',
  },
  { family: 'qwen3-embedding', pattern: /qwen3-embed/, query: retrieve, document: '' },
  { family: 'e5-instruct', pattern: /\be5-.*instruct/, query: `${retrieve} `, document: '' },
  { family: 'e5', pattern: /\be5-(small|base|large)/, query: 'query: ', document: 'passage: ' },
  { family: 'bge', pattern: /\bbge-(small|base|large)-en/, query: represent, document: '' },
  { family: 'mxbai', pattern: /mxbai-embed-large/, query: represent, document: '' },
];
