import { describe, expect, it } from 'vitest';
import { correctQuery } from './correct-query.ts';
import { parseQuery } from './query.ts';

/** An empty index that counts how often it is asked for corrections. */
function emptyIndex() {
  const asked: string[] = [];
  return {
    asked,
    documentFrequency: () => 0,
    findIndexedPrefix: () => null,
    similarTerms: (word: string) => {
      asked.push(word);
      return [];
    },
  };
}

describe('query correction', () => {
  it('ignores terms that are too long to have been typed', () => {
    const words = emptyIndex();
    correctQuery(parseQuery(`boilr ${'a'.repeat(1_900)}`), words);
    expect(words.asked).toEqual(['boilr']);
  });

  it('looks up at most four terms per query', () => {
    const words = emptyIndex();
    const many = Array.from(
      { length: 40 },
      (_, index) => `word${String.fromCodePoint(97 + (index % 26))}${'z'.repeat(index)}`,
    );
    correctQuery(parseQuery(many.join(' ')), words);
    expect(words.asked.length).toBe(4);
  });
});
