import type { EmbeddingUse } from './ports.ts';

/** Part of every fingerprint. Raise it whenever a change below gives other vectors for the same text. */
export const prefixVersion = 1;

/** What the makers of a model put before a text, by what it is for. Without it such a model finds much less. */
export type Prefixes = { family: string } & Record<EmbeddingUse, string>;

/** Chosen by the name of the model or of its file; for an unknown one, and many need none, there is no prefix. */
export function prefixesFor(model: string): Prefixes {
  const name = model.toLowerCase();
  const known = families.find(({ pattern }) => pattern.test(name));
  if (known === undefined) return { family: 'none', query: '', document: '' };
  const { family, query, document } = known;
  return { family, query, document };
}

/** The text as the model is given it. No model takes an empty one or half a character, so these are replaced. */
export function prepare(text: string, use: EmbeddingUse, prefixes: Prefixes): string {
  return prefixes[use] + (text.trim() === '' ? '-' : text.toWellFormed());
}

const retrieve =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:';
const represent = 'Represent this sentence for searching relevant passages: ';

// The first that matches counts: variants stand before their family.
const families: readonly (Prefixes & { pattern: RegExp })[] = [
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
