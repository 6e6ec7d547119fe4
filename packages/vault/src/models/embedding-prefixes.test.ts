import { describe, expect, it } from 'vitest';
import { modelCatalog } from './model-catalog.ts';
import { embeddingPrefixes, applyPrefix } from './embedding-prefixes.ts';

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
  ])('for %s are those of the family %s', (model, family) => {
    expect(embeddingPrefixes(model).family).toBe(family);
  });

  it('are prepended to a text according to its purpose', () => {
    const prefixes = embeddingPrefixes('embeddinggemma');
    expect(applyPrefix('keys', 'query', prefixes)).toBe('task: search result | query: keys');
    expect(applyPrefix('keys', 'document', prefixes)).toBe('title: none | text: keys');
  });
});

describe('the model catalog', () => {
  it('names every model once, with a full checksum and a fixed revision', () => {
    expect(new Set(modelCatalog.map(({ id }) => id)).size).toBe(modelCatalog.length);
    for (const { url, file, sha256 } of modelCatalog) {
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(url).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[0-9a-f]{40}\//);
      expect(url.endsWith(`/${file}`)).toBe(true);
    }
  });
});
