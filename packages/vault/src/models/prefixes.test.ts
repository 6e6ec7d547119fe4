import { describe, expect, it } from 'vitest';
import { knownModels } from './model-catalogue.ts';
import { prefixesFor, prepare } from './prefixes.ts';

describe('the prefixes of a model', () => {
  it.each([
    ['embeddinggemma-300M-Q8_0.gguf', 'embeddinggemma'],
    ['embeddinggemma:300m', 'embeddinggemma'],
    ['nomic-embed-text:latest', 'nomic'],
    ['nomic-embed-text-v1.5.Q8_0.gguf', 'nomic'],
    ['Qwen3-Embedding-0.6B-Q8_0.gguf', 'qwen3-embedding'],
    ['Qwen/Qwen3-Embedding-8B', 'qwen3-embedding'],
    ['intfloat/multilingual-e5-large', 'e5'],
    ['multilingual-e5-large-instruct-q8_0.gguf', 'e5-instruct'],
    ['BAAI/bge-small-en-v1.5', 'bge'],
    ['bge-m3', 'none'],
    ['mxbai-embed-large', 'mxbai'],
    ['all-MiniLM-L6-v2-Q8_0.gguf', 'none'],
    ['text-embedding-3-small', 'none'],
  ])('of %s are those of %s', (model, family) => {
    expect(prefixesFor(model).family).toBe(family);
  });

  it('stand before the text, by what it is for', () => {
    const prefixes = prefixesFor('embeddinggemma');
    expect(prepare('keys', 'query', prefixes)).toBe('task: search result | query: keys');
    expect(prepare('keys', 'document', prefixes)).toBe('title: none | text: keys');
  });
});

describe('the catalogue', () => {
  it('names every model once, with a whole checksum, from one revision', () => {
    expect(new Set(knownModels.map(({ id }) => id)).size).toBe(knownModels.length);
    for (const { url, file, sha256 } of knownModels) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(url).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[0-9a-f]{40}\//);
      expect(url.endsWith(`/${file}`)).toBe(true);
    }
  });
});
