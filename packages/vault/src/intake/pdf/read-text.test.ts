import { describe, expect, it } from 'vitest';
import { page, run } from '../../../../../test/intake/pdf-runs.ts';
import { readPageBlocks } from './read-text.ts';
import type { Run } from './run.ts';

const body = { size: 10, leading: 1.2 };

const kindsWith = (bullet: Run, words: Run): string[] =>
  readPageBlocks(
    page(1, [words]),
    { rules: [], bullets: [bullet], figures: [], runs: [], isImageOnly: false },
    body,
  ).map(({ kind }) => kind);

describe('a dot drawn on the page', () => {
  const dot = (place: { x: number; y?: number }): Run => run('•', { size: 8, width: 4, ...place });

  it('is the bullet of words that start less than two font sizes to its right', () => {
    expect(kindsWith(dot({ x: 30.1 }), run('milk', { x: 50 }))).toEqual(['item']);
    expect(kindsWith(dot({ x: 29.9 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
    expect(kindsWith(dot({ x: 50.1 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
  });

  it('is ignored when it is more than 0.6 font sizes above or below the words', () => {
    expect(kindsWith(dot({ x: 40, y: 94.1 }), run('milk', { x: 50 }))).toEqual(['item', 'paragraph']);
    expect(kindsWith(dot({ x: 40, y: 93.9 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
  });

  it('is the bullet of right-to-left words to its left', () => {
    const words = run('חלב', { x: 50, width: 20, isRtl: true });
    expect(kindsWith(dot({ x: 89.9 }), words)).toEqual(['item']);
    expect(kindsWith(dot({ x: 90.1 }), words)).toEqual(['paragraph']);
  });
});
