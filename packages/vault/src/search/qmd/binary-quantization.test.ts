import { expect, it } from 'vitest';
import { quantize, createAsymmetricScorer } from './binary-quantization.ts';

const numbers = (count: number, step: number): Float32Array =>
  Float32Array.from({ length: count }, (_, place) => Math.sin((place + 1) * step));

it('quantize stores each number as one bit, padded to whole 64-bit words', () => {
  expect([...quantize(Float32Array.from([1, -1, 0.5]))]).toEqual([0b101, 0, 0, 0, 0, 0, 0, 0]);
  expect(quantize(numbers(384, 1))).toHaveLength(48);
  expect(quantize(numbers(385, 1))).toHaveLength(56);
});

it.each([3, 64, 100, 384])(
  'createAsymmetricScorer scores codes of %d numbers as the sum of signs times query values',
  (count) => {
    const [asked, first, second] = [numbers(count, 1.3), numbers(count, 0.7), numbers(count, 2.1)];
    const codes = Buffer.concat([quantize(first), quantize(second)]);
    const fitOf = createAsymmetricScorer(asked);
    for (const [place, vector] of [first, second].entries()) {
      const wanted = asked.reduce((sum, number, at) => sum + number * (vector[at]! > 0 ? 1 : -1), 0);
      expect(fitOf(codes, place * quantize(vector).length)).toBeCloseTo(wanted, 4);
    }
  },
);
