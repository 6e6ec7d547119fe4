import { describe, expect, it } from 'vitest';
import { letters, line } from '../../../../../test/intake/pdf-runs.ts';
import { isHeadingAbove, splitColumns, findColumnsEnd, findGaps, hasWideGap, toBands } from './columns.ts';
import type { Band } from './columns.ts';
import type { Line } from './line.ts';

/** Two words of 50 points side by side, `gap` points apart. */
const row = (y: number, gap: number): Line[] => [
  line('left words', { y }),
  line('right words', { x: 50 + gap, y }),
];

/** Consecutive rows of lines. The last one ends at `100 + 12 * (count - 1) + 2`. */
const rows = (count: number, gap: number): Line[] =>
  Array.from({ length: count }, (_, index) => row(100 + index * 12, gap)).flat();

/** How many of the bands are columns. */
const columnsIn = (lines: Line[]): number => findColumnsEnd(toBands(lines), 0);

describe('lines side by side', () => {
  it('overlap vertically by more than a quarter of their height', () => {
    expect(toBands([line('one'), line('two', { x: 50, y: 107.4 })])).toHaveLength(1);
    expect(toBands([line('one'), line('two', { x: 50, y: 107.6 })])).toHaveLength(2);
  });
});

describe('a gap between columns', () => {
  it('is wider than half the font size', () => {
    expect(findGaps(toBands(rows(2, 4.9)))).toEqual([]);
    expect(findGaps(toBands(rows(2, 5.1)))).toEqual([[50, 55.1]]);
  });

  it('extends from top to bottom', () => {
    const bands = toBands([...row(100, 30), ...row(112, 20), line(letters(12), { y: 124 })]);
    expect(findGaps(bands)).toEqual([[60, 70]]);
    expect(findGaps([...bands, ...toBands([line(letters(15), { y: 136 })])])).toEqual([]);
  });

  it('counts as wide if it exceeds the given multiple of the font size', () => {
    expect(hasWideGap(toBands(rows(2, 25)), 2.5)).toBe(false);
    expect(hasWideGap(toBands(rows(2, 26)), 2.5)).toBe(true);
  });
});

describe('columns', () => {
  it('need two rows if the gap is wider than 2.5 times the font size', () => {
    expect(columnsIn(rows(1, 26))).toBe(0);
    expect(columnsIn(rows(2, 26))).toBe(2);
  });

  it('need four rows if the gap is narrower', () => {
    expect(columnsIn(rows(3, 24))).toBe(0);
    expect(columnsIn(rows(4, 24))).toBe(4);
  });

  it('need six rows if the gap is narrower than 0.9 times the font size', () => {
    expect(columnsIn(rows(4, 9.1))).toBe(4);
    expect(columnsIn(rows(5, 8.9))).toBe(0);
    expect(columnsIn(rows(6, 8.9))).toBe(6);
  });

  it('need two lines each', () => {
    expect(columnsIn([...row(100, 40), line('left', { y: 112 })])).toBe(0);
    expect(columnsIn([...row(100, 40), line('left', { y: 112 }), line('right', { x: 90, y: 112 })])).toBe(2);
    expect(columnsIn([...row(100, 40), line('right', { x: 90, y: 112 })])).toBe(0);
  });

  it('end above a line that spans them', () => {
    expect(columnsIn([...rows(2, 40), line(letters(30), { y: 124 })])).toBe(2);
  });

  it('are not found in text that consists only of code', () => {
    const code = (isMono: boolean): Line[] =>
      [100, 112].flatMap((y) => [line('a = 1;', { y, isMono: true }), line('// one', { x: 90, y, isMono })]);
    expect(columnsIn(code(true))).toBe(0);
    expect(columnsIn(code(false))).toBe(2);
  });

  const labelled = (label: string): Line[] =>
    [100, 112].flatMap((y) => [line(label, { y }), line('some words', { x: 60, y })]);

  it.each([
    ['numbers of three digits', '123.'],
    ['numbers of sections', '1.2.3'],
    ['single letters', 'a)'],
    ['three capitals', 'ABC'],
    ['bullets', '•'],
  ])('are not found next to labels such as %s', (_, label) => {
    expect(columnsIn(labelled(label))).toBe(0);
  });

  it.each([
    ['numbers of four digits, such as years', '2024'],
    ['words', 'an'],
    ['four capitals', 'ABCD'],
  ])('are found next to labels such as %s', (_, label) => {
    expect(columnsIn(labelled(label))).toBe(2);
  });
});

describe('rows below columns', () => {
  // The gap is [50, 76], and the last line ends at 114.
  const above = rows(2, 26);

  it('belong to the columns if they are less than 1.5 times the font size below them', () => {
    expect(columnsIn([...above, ...row(136.9, 60)])).toBe(3);
    expect(columnsIn([...above, ...row(137.1, 60)])).toBe(2);
  });

  it('belong to the columns even when further below, if they share at least 60% of the wider gap', () => {
    expect(columnsIn([...above, ...row(200, 43)])).toBe(3);
    expect(columnsIn([...above, ...row(200, 44)])).toBe(2);
  });
});

describe('a last line below only one column', () => {
  const below = (y: number, x = 0): Line[] => [...rows(2, 40), line('last', { x, y })];

  it('belongs to the column if it is less than 0.9 times the font size below it', () => {
    expect(columnsIn(below(130.9))).toBe(3);
    expect(columnsIn(below(131.1))).toBe(2);
  });

  it('belongs to the column only if it is aligned with another line to within two points', () => {
    expect(columnsIn(below(124, 1.9))).toBe(3);
    expect(columnsIn(below(124, 2.1))).toBe(2);
    expect(columnsIn(below(124, 91.9))).toBe(3);
  });

  it('belongs to a column of prose at any indentation, if it is less than 1.5 times the font size below it', () => {
    const prose = (count: number, length: number, y: number): Line[] => [
      ...Array.from({ length: count }, (_, index) => [
        line(letters(length), { y: 100 + index * 12 }),
        line(letters(length), { x: 300, y: 100 + index * 12 }),
      ]).flat(),
      line(letters(length), { x: 10, y }),
    ];
    expect(columnsIn(prose(3, 31, 148.9))).toBe(4);
    expect(columnsIn(prose(3, 31, 149.1))).toBe(3);
    expect(columnsIn(prose(3, 30, 148.9))).toBe(3);
    expect(columnsIn(prose(2, 31, 136.9))).toBe(2);
  });

  it('belongs to it despite another indentation only if most rows have lines of more than 30 letters', () => {
    const prose = (long: number): Line[] => [
      ...[0, 1, 2, 3].flatMap((index) => [
        line(letters(index < long ? 31 : 20), { y: 100 + index * 12 }),
        line(letters(index < long ? 31 : 20), { x: 300, y: 100 + index * 12 }),
      ]),
      line('end', { x: 10, y: 150 }),
    ];
    expect(columnsIn(prose(3))).toBe(5);
    expect(columnsIn(prose(2))).toBe(4);
  });
});

describe('a line above columns', () => {
  const group: Band[] = toBands(rows(2, 40));
  const above = (y: number, text = 'left'): Band | undefined => toBands([line(text, { y })])[0];

  it('belongs to them if it is less than 0.8 times the font size above them', () => {
    expect(isHeadingAbove(above(82.1), group)).toBe(true);
    expect(isHeadingAbove(above(81.9), group)).toBe(false);
  });

  it('does not belong to them when it crosses the gap', () => {
    expect(isHeadingAbove(above(85, letters(16)), group)).toBe(true);
    expect(isHeadingAbove(above(85, letters(18)), group)).toBe(false);
  });
});

describe('two columns', () => {
  it('are split at the widest gap', () => {
    const three = toBands(
      [100, 112].flatMap((y) => [line('one', { y }), line('two', { x: 35, y }), line('three', { x: 75, y })]),
    );
    expect(splitColumns(three).map((runs) => runs.map(({ text }) => text))).toEqual([
      ['one', 'two', 'one', 'two'],
      ['three', 'three'],
    ]);
  });
});
