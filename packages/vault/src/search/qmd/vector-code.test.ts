import { expect, it } from 'vitest';
import { codeOf, createFit } from './vector-code.ts';

const numbers = (count: number, step: number): Float32Array =>
  Float32Array.from({ length: count }, (_, place) => Math.sin((place + 1) * step));

it('a code has a bit for each number, and whole words of 64', () => {
  expect([...codeOf(Float32Array.from([1, -1, 0.5]))]).toEqual([0b101, 0, 0, 0, 0, 0, 0, 0]);
  expect(codeOf(numbers(384, 1))).toHaveLength(48);
  expect(codeOf(numbers(385, 1))).toHaveLength(56);
});

it.each([3, 64, 100, 384])(
  'codes of %d numbers fit as the signs of these times the numbers asked for',
  (count) => {
    const [asked, first, second] = [numbers(count, 1.3), numbers(count, 0.7), numbers(count, 2.1)];
    const codes = Buffer.concat([codeOf(first), codeOf(second)]);
    const fitOf = createFit(asked);
    for (const [place, vector] of [first, second].entries()) {
      const wanted = asked.reduce((sum, number, at) => sum + number * (vector[at]! > 0 ? 1 : -1), 0);
      expect(fitOf(codes, place * codeOf(vector).length)).toBeCloseTo(wanted, 4);
    }
  },
);
