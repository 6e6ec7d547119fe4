import { describe, expect, it } from 'vitest';
import { wordOverlap } from './word-overlap.ts';

describe('the share of words that two texts have in common', () => {
  it.each([
    ['everything', 'The boiler costs 384 euros', 'Boiler: 384 euros, it costs', 1],
    ['nothing', 'The boiler costs 384 euros', 'Buy milk', 0],
    ['a half', 'boiler 384', 'the number 384', 0.5],
    ['inflected words', 'Les réunions décidées', 'réunion décidé', 1],
    ['ignoring accents and case', 'ÉTÉ à Genève', 'ete a geneve', 1],
    ['numbers only as a whole', 'number 86', 'tokens 860', 0],
    ['short words of scripts without spaces', '暖炉の値段', '暖炉の値段は三', 1],
    ['all words of a text that has only short ones', 'Ann has a cat', 'a cat', 0.5],
    ['all for a text without words', ' \n', 'something else', 1],
  ])('is computed: %s', (_what, text, other, share) => {
    expect(wordOverlap(text, other)).toBe(share);
  });
});
