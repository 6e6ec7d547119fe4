import { describe, expect, it } from 'vitest';
import { letters, line, run } from '../../../../../test/intake/pdf-runs.ts';
import { findEdges } from './find-edges.ts';
import type { Line } from './line.ts';
import type { Run } from './run.ts';

const short = line('short');

/** How far `short` could have extended. */
const rightOf = (runs: Run[], lines: Line[] = [short]): number => findEdges(runs)(lines)(short).right;

describe('the right margin of a line', () => {
  it('is taken from lines that start less than 1.5 font sizes to its left or right', () => {
    expect(rightOf([run('short'), run(letters(40), { x: 14.9, y: 112 })])).toBe(214.9);
    expect(rightOf([run('short'), run(letters(40), { x: 15.1, y: 112 })])).toBe(25);
  });

  it('is taken from lines whose font size differs by less than a point', () => {
    const other = (size: number): Run[] => [run('short'), run(letters(40), { y: 112, size, width: 200 })];
    expect(rightOf(other(10.9))).toBe(200);
    expect(rightOf(other(11))).toBe(25);
  });

  it('is taken only from the part of another line before a gap, after which the next column may start', () => {
    const beside = run('in the next column', { x: 300, y: 112 });
    expect(rightOf([run('short'), run(letters(40), { y: 112 }), beside])).toBe(200);
  });

  it('is taken from its own paragraph if that has at least three lines and more than 60% of the width of other lines', () => {
    const page = [run('short'), run(letters(100), { y: 300 })];
    const paragraph = (...counts: number[]): Line[] => [
      short,
      ...counts.map((count, index) => line(letters(count), { y: 112 + index * 12 })),
    ];
    expect(rightOf(page, paragraph(61, 61))).toBe(305);
    expect(rightOf(page, paragraph(60, 60))).toBe(500);
    expect(rightOf(page, paragraph(61))).toBe(500);
  });

  it('on the left is taken from lines with the same right edge', () => {
    const ending = line('ending', { x: 470 });
    const runs = (x: number): Run[] => [run('ending', { x: 470 }), run(letters(60), { x, y: 112 })];
    expect(findEdges(runs(200 + 14))([ending])(ending).left).toBe(214);
    expect(findEdges(runs(200 + 16))([ending])(ending).left).toBe(470);
  });
});
