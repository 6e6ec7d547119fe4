import { describe, expect, it } from 'vitest';
import { selectEncoding } from './encoding.ts';

describe('selectEncoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0', null],
    ['identity', null],
    ['', null],
    [null, null],
  ])('selects for %j: %j', (header, expected) => {
    expect(selectEncoding(header)).toBe(expected);
  });
});
