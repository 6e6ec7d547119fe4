import { describe, expect, it } from 'vitest';
import { isNightly, sampleOf } from './sample-of.ts';

const items = ['a', 'b', 'c', 'd', 'e'];

describe('sampleOf', () => {
  it.skipIf(isNightly)('returns every n-th item, and all items over all offsets', () => {
    expect(sampleOf(items, 2)).toEqual(['a', 'c', 'e']);
    expect(sampleOf(items, 2, 3)).toEqual(['b', 'd']);
    expect([0, 1, 2].flatMap((offset) => sampleOf(items, 3, offset)).toSorted()).toEqual(items);
  });

  it.runIf(isNightly)('returns all items in the nightly run', () => {
    expect(sampleOf(items, 2, 1)).toEqual(items);
  });
});
