import { describe, expect, it } from 'vitest';
import { letters, run } from '../../../../../test/intake/pdf-runs.ts';
import { splitIntoRegions } from './regions.ts';
import type { Rule } from './ruled-tables.ts';
import type { Run } from './run.ts';

/** The lines of each region, or `table`. */
const read = (runs: Run[], rules: Rule[] = []): (string | string[])[] =>
  splitIntoRegions(runs, rules).map((region) =>
    region.kind === 'table' ? 'table' : region.lines.map(({ text }) => text),
  );

/** Rows of two words side by side. */
const rows = (count: number, gap: number): Run[] =>
  Array.from({ length: count }, (_, index) => [
    run(`left ${index}`, { y: 100 + index * 12 }),
    run(`right ${index}`, { x: 30 + gap, y: 100 + index * 12 }),
  ]).flat();

describe('a page', () => {
  it('is read line by line across columns if the gap between them is less than 0.9 times the font size', () => {
    expect(read(rows(6, 8.9))[0]).toContain('left 0 right 0');
    expect(read(rows(6, 9.1))[0]).toEqual([0, 1, 2, 3, 4, 5].map((index) => `left ${index}`));
  });

  it('is read one column after the other', () => {
    expect(read(rows(2, 40))).toEqual([
      ['left 0', 'left 1'],
      ['right 0', 'right 1'],
    ]);
  });

  it('is read line by line above and below its columns', () => {
    const [title, end] = [run(letters(30), { y: 70 }), run(letters(30), { y: 160 })];
    expect(read([title, ...rows(2, 40), end])).toEqual([
      [letters(30)],
      ['left 0', 'left 1'],
      ['right 0', 'right 1'],
      [letters(30)],
    ]);
  });

  it('assigns a line to the column below it if the distance is less than 0.8 times the font size', () => {
    const above = (y: number) => read([run('right', { x: 70, y }), ...rows(2, 40)]);
    expect(above(82.1)).toEqual([
      ['left 0', 'left 1'],
      ['right', 'right 0', 'right 1'],
    ]);
    expect(above(81.9)).toEqual([['right'], ['left 0', 'left 1'], ['right 0', 'right 1']]);
  });

  it('contains a table where its columns form one', () => {
    const numbers = [0, 1].flatMap((index) => [
      run('Ann', { y: 100 + index * 12 }),
      run('31', { x: 60, y: 100 + index * 12 }),
    ]);
    expect(read(numbers)).toEqual(['table']);
  });
});

describe('text close to a ruled table', () => {
  const rules = [
    ...[200, 220, 240].map((y) => ({ x1: 0, x2: 200, y1: y, y2: y })),
    ...[0, 100, 200].map((x) => ({ x1: x, x2: x, y1: 200, y2: 240 })),
  ];
  const cells = [10, 110].flatMap((x) => [run('cell', { x, y: 214 }), run('cell', { x, y: 234 })]);

  it('counts as above it if its baseline is less than two points below the top edge of the table', () => {
    const title = (y: number): Run[] => [run('title', { x: 10, y }), ...cells];
    expect(read(title(201.9), rules)).toEqual([['title'], 'table']);
    expect(read(title(202.1), rules)).toEqual(['table', ['title']]);
  });
});
