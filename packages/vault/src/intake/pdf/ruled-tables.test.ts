import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { findRuledTables } from './ruled-tables.ts';
import type { Rule } from './ruled-tables.ts';
import type { Run } from './run.ts';
import { plainText } from './format-spans.ts';

const level = (y: number, x1 = 0, x2 = 200): Rule => ({ x1, x2, y1: y, y2: y });
const upright = (x: number, y1 = 0, y2 = 40): Rule => ({ x1: x, x2: x, y1, y2 });

/** Cells that are 100 points wide and 20 high. */
const outer = [level(0), level(40), upright(0), upright(200)];
const grid = [...outer, level(20), upright(100)];

/** Words in the upper left, upper right, lower left and lower right cell. */
const words = [
  run('a', { x: 10, y: 14 }),
  run('b', { x: 110, y: 14 }),
  run('c', { x: 10, y: 34 }),
  run('d', { x: 110, y: 34 }),
];
const cells = [
  ['a', 'b'],
  ['c', 'd'],
];

function read(rules: Rule[], runs: Run[] = words): string[][] | undefined {
  const [table] = findRuledTables(rules, runs).tables;
  return table?.rows.map((row) => row.map(plainText));
}

describe('ruling lines', () => {
  it('form a table of the words between them, and leave other words alone', () => {
    const beside = run('beside', { x: 250, y: 14 });
    expect(read(grid)).toEqual(cells);
    expect(findRuledTables(grid, [...words, beside]).rest).toEqual([beside]);
  });

  it('form a table only with at least two rows and two columns', () => {
    expect(read([...outer, level(20)])).toBeUndefined();
    expect(read([...outer, upright(100)])).toBeUndefined();
  });

  it('form a table only if at least two are horizontal and one is vertical', () => {
    expect(read([level(0), level(20), level(40), upright(100)])).toEqual(cells);
    expect(read([level(0), level(20), upright(0), upright(100), upright(200)])).toEqual(cells);
    expect(read([level(20), upright(0), upright(100), upright(200)])).toBeUndefined();
  });

  it('count as horizontal or vertical when they deviate by less than a point', () => {
    expect(read([...outer, level(20), { ...upright(100), x2: 100.9 }])).toEqual(cells);
    expect(read([...outer, level(20), { ...upright(100), x2: 101.1 }])).toBeUndefined();
    expect(read([...outer, upright(100), { ...level(20), y2: 20.9 }])).toEqual(cells);
    expect(read([...outer, upright(100), { ...level(20), y2: 21.1 }])).toBeUndefined();
  });

  it('belong to the same table when they are less than three points apart', () => {
    const half = (left: number, right: number): Rule[] => [
      ...[0, 20, 40].map((y) => level(y, left, right)),
      upright(left),
      upright(right),
    ];
    expect(read([...half(0, 100), ...half(102.9, 200)])).toEqual(cells);
    expect(read([...half(0, 100), ...half(103.1, 200)])).toBeUndefined();
  });

  it('count as one line when they are parallel and less than three points apart', () => {
    const columns = (x: number): number | undefined => read([...grid, upright(x)])?.[0]?.length;
    expect(columns(102.9)).toBe(2);
    expect(columns(103.1)).toBe(3);
  });

  it('are ignored as a drawing when there are more than 3000', () => {
    const strokes = (count: number): Rule[] =>
      Array.from({ length: count }, () => ({ x1: 300, y1: 300, x2: 310, y2: 310 }));
    expect(read([...grid, ...strokes(3000 - grid.length)])).toEqual(cells);
    expect(read([...grid, ...strokes(3001 - grid.length)])).toBeUndefined();
  });

  it('form no table when fewer than 35% of the cells have words', () => {
    const filled = (columns: number, count: number): string[][] | undefined => {
      const xs = Array.from({ length: columns + 1 }, (_, index) => index * 100);
      const upper = xs.slice(0, count - 1).map((x) => run('a', { x: x + 10, y: 14 }));
      return read(
        [...[0, 20, 40].map((y) => level(y, 0, columns * 100)), ...xs.map((x) => upright(x))],
        [...upper, run('b', { x: 10, y: 34 })],
      );
    };
    expect(filled(10, 7)).toHaveLength(2); // 7 of 20
    expect(filled(3, 2)).toBeUndefined(); // 2 of 6
  });

  it('form no table when only one row has words', () => {
    expect(read(grid, words.slice(0, 3))).toHaveLength(2);
    expect(read(grid, words.slice(0, 2))).toBeUndefined();
  });
});

describe('cells', () => {
  it('are merged when there is no vertical line between them', () => {
    expect(read([...outer, level(20), upright(100, 0, 20)])).toEqual([
      ['a', 'b'],
      ['c d', ''],
    ]);
  });

  it('are merged when there is no horizontal line between them, and their text is repeated in each row', () => {
    expect(read([...outer, upright(100), level(20, 100)], words.toSpliced(2, 1))).toEqual([
      ['a', 'b'],
      ['a', 'd'],
    ]);
  });

  it('are separated by a line along more than half of their side', () => {
    const low = [level(0), level(20), level(25), upright(0, 0, 25), upright(200, 0, 25)];
    const small = [run('c', { x: 10, y: 24, size: 4 }), run('d', { x: 110, y: 24, size: 4 })];
    const lower = (y: number): string[] | undefined =>
      read([...low, upright(100, 0, y)], [...words.slice(0, 2), ...small])?.[1];
    expect(lower(22.4)).toEqual(['c d', '']);
    expect(lower(22.6)).toEqual(['c', 'd']);
  });

  it('are in the same columns as the row above when the lines between them are less than three points off', () => {
    const lower = (x: number): string[] | undefined =>
      read([...outer, level(20), upright(100, 0, 20), upright(x, 20, 40)])?.[1];
    expect(lower(102.9)).toEqual(['c', 'd']);
    expect(lower(103.1)).toEqual(['c', '', 'd']);
  });
});

describe('words in a table', () => {
  it('belong to the cell that contains the point two font sizes after the start of their text', () => {
    const first = (x: number): string[] | undefined =>
      read(grid, [run('indivisible', { x, y: 14 }), ...words.slice(2)])?.[0];
    expect(first(79.9)).toEqual(['indivisible', '']);
    expect(first(80.1)).toEqual(['', 'indivisible']);
  });

  it('belong to the row that contains the point 0.3 font sizes above their baseline', () => {
    const row = (y: number): string[][] | undefined =>
      read(grid, [run('a', { x: 10, y }), ...words.slice(1)]);
    expect(row(22.9)).toEqual(cells);
    expect(row(23.1)).not.toEqual(cells);
  });

  it('are split where a line crosses more than half of their height', () => {
    const lower = (y: number): string[] | undefined =>
      read(
        [...outer, level(20), upright(100, 20, 40)],
        [...words.slice(0, 1), run('left right', { x: 75, y })],
      )?.[1];
    expect(lower(24.9)).toEqual(['left right', '']);
    expect(lower(25.1)).toEqual(['left', 'right']);
  });

  it('keep a line break when the next word would have fit into the cell', () => {
    const high = [level(0), level(40), level(60), ...[0, 100, 200].map((x) => upright(x, 0, 60))];
    // «next» needs 31 points.
    const first = (width: number): string | undefined =>
      read(high, [
        run('some words', { x: 10, y: 14, width }),
        run('next', { x: 10, y: 26 }),
        run('c', { x: 10, y: 54 }),
        run('d', { x: 110, y: 54 }),
      ])?.[0]?.[0];
    expect(first(58.9)).toBe('some words\nnext');
    expect(first(59.1)).toBe('some words next');
  });
});
