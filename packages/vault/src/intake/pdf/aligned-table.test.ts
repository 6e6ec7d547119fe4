import { describe, expect, it } from 'vitest';
import { letters, line } from '../../../../../test/intake/pdf-runs.ts';
import { readAlignedTable } from './aligned-table.ts';
import type { Line } from './line.ts';
import type { Rule } from './ruled-tables.ts';
import { plainText } from './format-spans.ts';

/** The left edges of the columns. */
const starts = [0, 200, 400];

type Row = { y: number; cells: (string | { text: string; x: number })[] };

/** Rows that are 20 points apart, and so separate rows. */
const separateRows = (...rows: Row['cells'][]): Row[] =>
  rows.map((cells, index) => ({ y: 100 + index * 20, cells }));

/** Cells start at the left edge of their column by default; empty texts give no cell. */
function toLines({ y, cells }: Row): Line[] {
  return cells.flatMap((cell, column) => {
    const { text, x } = typeof cell === 'string' ? { text: cell, x: starts[column] ?? 0 } : cell;
    return text === '' ? [] : [line(text, { x, y })];
  });
}

/** The cells of a table with as many columns as the first row; undefined for text. */
function read(rows: Row[], rules: Rule[] = []): string[][] | undefined {
  const gaps = (rows[0]?.cells ?? []).slice(1).map((_, index): [number, number] => {
    const start = starts[index + 1] ?? 0;
    return [start - 20, start];
  });
  return readAlignedTable(rows.map(toLines), gaps, rules)?.rows.map((row) => row.map(plainText));
}

const isTable = (rows: Row[], rules: Rule[] = []): boolean => read(rows, rules) !== undefined;

const repeat = (count: number, ...cells: Row['cells']): Row['cells'][] =>
  Array.from({ length: count }, () => cells);

describe('words in two columns', () => {
  it('are a table when more than half of those on the right are numbers', () => {
    const numbers = (count: number): Row[] =>
      separateRows(...repeat(count, 'Ann', '31'), ...repeat(20 - count, 'Bob', 'no'));
    expect(isTable(numbers(11))).toBe(true);
    expect(isTable(numbers(10))).toBe(false);
  });

  const beside = (text: string): Row[] => separateRows(['Ann', text], ['Bob', text]);

  it.each([
    ['one digit', '5'],
    ['20 digits', '1'.repeat(20)],
    ['a number and a unit of three letters', '50 kWh'],
    ['money', '€ 1,250.00'],
  ])('are a table with %s on the right', (_, text) => {
    expect(isTable(beside(text))).toBe(true);
  });

  it.each([
    ['21 digits', '1'.repeat(21)],
    ['a number and a word of four letters', '50 feet'],
    ['dashes only', '–'],
  ])('are not a table with %s on the right', (_, text) => {
    expect(isTable(beside(text))).toBe(false);
  });

  it('are a table when more than 60% of those on the left end with a colon', () => {
    const labelled = (count: number): Row[] =>
      separateRows(...repeat(count, 'Name:', 'Ann'), ...repeat(20 - count, 'Name', 'Ann'));
    expect(isTable(labelled(13))).toBe(true);
    expect(isTable(labelled(12))).toBe(false);
  });

  it('are a table when a horizontal rule of more than 20 points separates two rows', () => {
    const rule = (more: Partial<Rule>): Rule[] => [{ x1: 0, x2: 215, y1: 105, y2: 105, ...more }];
    const words = separateRows(['Name', 'Place'], ['Ann', 'Here']);
    expect(isTable(words)).toBe(false);
    expect(isTable(words, rule({}))).toBe(true);
    expect(isTable(words, rule({ x2: 20.1 }))).toBe(true);
    expect(isTable(words, rule({ x2: 19.9 }))).toBe(false);
    expect(isTable(words, rule({ y2: 105.9 }))).toBe(true);
    expect(isTable(words, rule({ y2: 106.1 }))).toBe(false);
  });

  it('are not a table when the rule is above or below all rows', () => {
    const rule = (y: number): Rule[] => [{ x1: 0, x2: 215, y1: y, y2: y }];
    const words = separateRows(['Name', 'Place'], ['Ann', 'Here']);
    expect(isTable(words, rule(91.9))).toBe(false);
    expect(isTable(words, rule(92.1))).toBe(true);
    expect(isTable(words, rule(121.9))).toBe(true);
    expect(isTable(words, rule(122.1))).toBe(false);
  });
});

describe('words in columns', () => {
  it('are a table when there are three columns', () => {
    expect(isTable(separateRows(['Ann', 'here'], ['Bob', 'there']))).toBe(false);
    expect(isTable(separateRows(['Ann', 'here', 'now'], ['Bob', 'there', 'then']))).toBe(true);
  });

  it('are a table when there are at least two rows', () => {
    expect(isTable(separateRows(['Ann', 'here', 'now']))).toBe(false);
    expect(isTable(separateRows(['Ann', 'here', 'now'], ['Bob', 'there', 'then']))).toBe(true);
  });

  it('are a table when at least 60% of the rows have two cells', () => {
    const full = (count: number): Row[] =>
      separateRows(...repeat(count, 'Ann', '31'), ...repeat(20 - count, 'Bob', ''));
    expect(isTable(full(12))).toBe(true);
    expect(isTable(full(11))).toBe(false);
  });

  it('are a table even when rows have only two of three cells', () => {
    expect(isTable(separateRows(['Ann', 'here', 'now'], ['Bob', 'there', ''], ['Eve', 'there', '']))).toBe(
      true,
    );
    expect(isTable(separateRows(['Ann', 'here', 'now'], ['Bob', '', ''], ['Eve', '', '']))).toBe(false);
  });

  it('are text when most cells of every column have more than 28 letters', () => {
    const long = (...counts: number[]): Row[] => separateRows(...repeat(3, ...counts.map(letters)));
    expect(isTable(long(29, 29, 29))).toBe(false);
    expect(isTable(long(29, 28, 29))).toBe(true);
  });

  it('are a table when at least 70% of the cells of each column start or end at the same position', () => {
    // The other cells are wider, so they also end at another position.
    const aligned = (count: number): Row[] =>
      separateRows(...repeat(count, 'Ann', '31'), ...repeat(10 - count, 'Bob', { text: '1234567', x: 220 }));
    expect(isTable(aligned(7))).toBe(true);
    expect(isTable(aligned(6))).toBe(false);
  });

  it('are aligned when their edges differ by less than three points', () => {
    const third = (text: string, x: number): Row[] =>
      separateRows(['Ann', '12345'], ['Bob', '12345'], ['Eve', { text, x }]);
    expect(isTable(third('1234567', 202.9))).toBe(true);
    expect(isTable(third('1234567', 203.1))).toBe(false);
    expect(isTable(third('1', 222.9))).toBe(true);
    expect(isTable(third('1', 223.1))).toBe(false);
  });

  it('belong to a column that starts up to one point to their right', () => {
    const last = (x: number): string[] | undefined =>
      read(separateRows(['Ann', '31'], ['Bob', '32'], ['Eve', '33'], ['Ida', { text: '34', x }]))?.at(-1);
    expect(last(199.1)).toEqual(['Ida', '34']);
    expect(last(198.9)).toEqual(['Ida 34', '']);
  });
});

describe('a line of a table', () => {
  const rows = (y: number, first: string): Row[] => [
    { y: 100, cells: ['Ann', '31', 'a long'] },
    { y, cells: [first, '', 'story'] },
    { y: y + 20, cells: ['Bob', '32', 'short'] },
    { y: y + 35, cells: ['Eve', '33', 'short'] },
    { y: y + 50, cells: ['Ida', '34', 'short'] },
  ];

  it('continues the cells above it when it has no first cell and is less than 1.4 font sizes below them', () => {
    expect(read(rows(113.9, ''))?.[0]).toEqual(['Ann', '31', 'a long story']);
    expect(read(rows(114.1, ''))?.[0]).toEqual(['Ann', '31', 'a long']);
    expect(read(rows(113.9, 'Meg'))?.[0]).toEqual(['Ann', '31', 'a long']);
  });

  it('also continues a first cell when lines are usually more than 1.5 font sizes apart', () => {
    const spaced = (spacing: number): Row[] => [
      { y: 100, cells: ['Ann', '31'] },
      { y: 112, cells: ['of York', ''] },
      { y: 112 + spacing, cells: ['Bob', '32'] },
      { y: 112 + spacing * 2, cells: ['Eve', '33'] },
    ];
    expect(read(spaced(15.1))?.[0]).toEqual(['Ann of York', '31']);
    expect(read(spaced(14.9))?.[0]).toEqual(['Ann', '31']);
  });

  const rule = (y: number): Rule => ({ x1: 0, x2: 300, y1: y, y2: y });

  it('does not continue cells above a rule', () => {
    expect(read(rows(112, ''), [rule(104)])?.[0]).toEqual(['Ann', '31', 'a long']);
    expect(read(rows(112, ''), [rule(130)])?.[0]).toEqual(['Ann', '31', 'a long story']);
  });

  it('forms one row with all other lines between two rules', () => {
    const far: Row[] = [
      { y: 100, cells: ['Name', 'Place'] },
      { y: 120, cells: ['Ann', 'Here'] },
      { y: 140, cells: ['of York', 'and there'] },
      { y: 160, cells: ['Bob', 'Nowhere'] },
    ];
    expect(read(far, [rule(105)])).toHaveLength(4);
    expect(read(far, [rule(105), rule(145)])).toEqual([
      ['Name', 'Place'],
      ['Ann of York', 'Here and there'],
      ['Bob', 'Nowhere'],
    ]);
  });

  it('is separated from the line above by a rule through the lower half of the letters of that line', () => {
    const first = (y: number): string[] | undefined => read(rows(112, ''), [rule(y)])?.[0];
    expect(first(95)).toEqual(['Ann', '31', 'a long story']);
    expect(first(96)).toEqual(['Ann', '31', 'a long']);
  });
});
