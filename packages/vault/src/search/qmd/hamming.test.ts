import { expect, it } from 'vitest';
import { createBinaryVectors, maxComparisons } from './hamming.ts';

it.each([8, 48, 512])('the Hamming distance is computed for codes of %d bytes', (width) => {
  let seed = width;
  const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) >>> 24;
  const all = Array.from({ length: 3_000 }, () => Uint8Array.from({ length: width }, random));
  const codes = createBinaryVectors(width);
  for (const code of all.slice(0, 10)) codes.add(code);
  codes.add(Buffer.concat(all.slice(10)));
  expect(codes.count()).toBe(all.length);
  const [asked = all[0]!] = all.slice(7);
  const distances = [...codes.distances(asked, 5, 2_000)];
  expect(distances).toEqual(all.slice(5, 2_005).map((code) => bitsBetween(asked, code)));
  expect(distances[2]).toBe(0);
  expect(codes.distances(asked, 0, 0)).toHaveLength(0);
});

it('the Hamming distances of the maximum number of codes are computed in one call without overwriting the codes', () => {
  const codes = createBinaryVectors(8);
  codes.add(new Uint8Array(8 * maxComparisons).fill(255));
  const far = codes.distances(new Uint8Array(8), 0, maxComparisons);
  expect(new Set(far)).toEqual(new Set([64]));
  expect(new Set(codes.distances(new Uint8Array(8).fill(255), 0, maxComparisons))).toEqual(new Set([0]));
});

function bitsBetween(a: Uint8Array, b: Uint8Array): number {
  return [...a].reduce((sum, byte, place) => {
    const different = (byte ^ (b[place] ?? 0)).toString(2);
    return sum + different.replaceAll('0', '').length;
  }, 0);
}
