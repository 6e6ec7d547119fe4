import { describe, expect, it } from 'vitest';
import { page, run } from '../../../../../test/intake/pdf-runs.ts';
import { readText } from './read-text.ts';
import type { Run } from './run.ts';

const body = { size: 10, leading: 1.2 };

const kindsWith = (bullet: Run, words: Run): string[] =>
  readText(
    page(1, [words]),
    { rules: [], bullets: [bullet], figures: [], runs: [], isPicture: false },
    body,
  ).map(({ kind }) => kind);

describe('a dot that a page draws', () => {
  const dot = (place: { x: number; y?: number }): Run => run('•', { size: 8, width: 4, ...place });

  it('is the bullet of words less than two letters to its right', () => {
    expect(kindsWith(dot({ x: 30.1 }), run('milk', { x: 50 }))).toEqual(['item']);
    expect(kindsWith(dot({ x: 29.9 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
    expect(kindsWith(dot({ x: 50.1 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
  });

  it('is left out when it stands more than 0.6 of a letter above or below them', () => {
    expect(kindsWith(dot({ x: 40, y: 94.1 }), run('milk', { x: 50 }))).toEqual(['item', 'paragraph']);
    expect(kindsWith(dot({ x: 40, y: 93.9 }), run('milk', { x: 50 }))).toEqual(['paragraph']);
  });

  it('stands behind words that run from right to left', () => {
    const words = run('חלב', { x: 50, width: 20, isRtl: true });
    expect(kindsWith(dot({ x: 89.9 }), words)).toEqual(['item']);
    expect(kindsWith(dot({ x: 90.1 }), words)).toEqual(['paragraph']);
  });
});
