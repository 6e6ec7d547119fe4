import { describe, expect, it } from 'vitest';
import { sharedWords } from './shared-words.ts';

describe('the share of words that are found', () => {
  it.each([
    ['everything', 'The boiler costs 384 euros', 'Boiler: 384 euros, it costs', 1],
    ['nothing', 'The boiler costs 384 euros', 'Buy milk', 0],
    ['a half', 'boiler 384', 'the number 384', 0.5],
    ['inflected words', 'Les réunions décidées', 'réunion décidé', 1],
    ['without accents and case', 'ÉTÉ à Genève', 'ete a geneve', 1],
    ['a number only when it is whole', 'number 86', 'tokens 860', 0],
    ['short words of scripts without spaces', '暖炉の値段', '暖炉の値段は三', 1],
    ['all words of a text that has only short ones', 'Ann has a cat', 'a cat', 0.5],
    ['of a text without words: all', ' \n', 'something else', 1],
  ])('%s', (_what, text, other, share) => {
    expect(sharedWords(text, other)).toBe(share);
  });
});
