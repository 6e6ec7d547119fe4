import type { Box } from './run.ts';

/** Multiplies transformation matrices in PDF notation: `[a b c d e f]`. */
export function multiply(a: readonly number[], b: readonly number[]): number[] {
  const [a0 = 1, a1 = 0, a2 = 0, a3 = 1, a4 = 0, a5 = 0] = a;
  const [b0 = 1, b1 = 0, b2 = 0, b3 = 1, b4 = 0, b5 = 0] = b;
  return [
    a0 * b0 + a2 * b1,
    a1 * b0 + a3 * b1,
    a0 * b2 + a2 * b3,
    a1 * b2 + a3 * b3,
    a0 * b4 + a2 * b5 + a4,
    a1 * b4 + a3 * b5 + a5,
  ];
}

/** Converts a rectangle from PDF coordinates, given by two corners. */
export function toBox([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[], view: readonly number[]): Box {
  const [, , , , left = 0, bottom = 0] = multiply(view, [1, 0, 0, 1, x1, y1]);
  const [, , , , right = 0, top = 0] = multiply(view, [1, 0, 0, 1, x2, y2]);
  return {
    left: Math.min(left, right),
    right: Math.max(left, right),
    top: Math.min(top, bottom),
    bottom: Math.max(top, bottom),
  };
}
