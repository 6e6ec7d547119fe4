import { describe, expect, it } from 'vitest';
import { completeQuery } from './complete-query.ts';
import { parseQuery } from './query.ts';

/** An index in which no word is, and which counts how often it is asked for words one letter away. */
function emptyIndex() {
  const asked: string[] = [];
  return {
    asked,
    frequency: () => 0,
    beginning: () => null,
    alike: (word: string) => {
      asked.push(word);
      return [];
    },
  };
}

describe('a word that is nowhere', () => {
  it('is compared with those one letter away, unless nobody could have typed it', () => {
    const words = emptyIndex();
    completeQuery(parseQuery(`boilr ${'a'.repeat(1_900)}`), words);
    expect(words.asked).toEqual(['boilr']);
  });

  it('is compared only while there are few of them', () => {
    const words = emptyIndex();
    const many = Array.from(
      { length: 40 },
      (_, index) => `word${String.fromCodePoint(97 + (index % 26))}${'z'.repeat(index)}`,
    );
    completeQuery(parseQuery(many.join(' ')), words);
    expect(words.asked.length).toBe(4);
  });
});
