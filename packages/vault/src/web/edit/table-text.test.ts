import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnAt, formatTable, isTable, parseRow, stepCell } from './table-text.ts';

describe('a table in a note', () => {
  it('is a header and a delimiter row', () => {
    expect(isTable(['| a | b |', '|---|:-:|'])).toBe(true);
    expect(isTable(['a | b', '--- | ---', '1 | 2'])).toBe(true);
    expect(isTable(['| a | b |', '| c | d |'])).toBe(false);
    expect(isTable(['a', '---'])).toBe(false);
  });

  it('is aligned, with as many cells in each row, and keeps escaped pipes', () => {
    expect(formatTable(['|a|b|c|', '|:-|-:|:-:|', '|long cell|1|x\\|y|', '|é|'])).toEqual([
      '| a         |   b |  c   |',
      '| :-------- | --: | :--: |',
      '| long cell |   1 | x\\|y |',
      '| é         |     |      |',
    ]);
    expect(formatTable(['| 漢字 | b |', '| - | - |', '| a | 😀 |'])).toEqual([
      '| 漢字 | b   |',
      '| ---- | --- |',
      '| a    | 😀  |',
    ]);
  });

  it('keeps its cells and stays the same when it is aligned again', () => {
    const cell = fc.stringMatching(/^[a-zé*\\| ]{0,6}$/).map((text) => text.replaceAll(/[\\|]/g, '').trim());
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1 }), (rows) => {
        const lines = ['| h | i | j |', '| - | - | - |', ...rows.map((row) => `| ${row.join(' | ')} |`)];
        const formatted = formatTable(lines);
        expect(formatTable(formatted)).toEqual(formatted);
        for (const [index, row] of rows.entries())
          expect(parseRow(formatted[index + 2] ?? '').map(({ text }) => text)).toEqual([
            ...row,
            ...Array.from({ length: 3 - row.length }, () => ''),
          ]);
      }),
    );
  });

  it('knows the cell at each position', () => {
    const row = '| a  | bc |    |';
    expect([0, 2, 4, 6, 8, 11, 14].map((offset) => columnAt(row, offset))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('is left at its start, and gets a row at its end', () => {
    const size = { rows: 3, columns: 2 };
    expect(stepCell({ row: 0, column: 1 }, 1, size)).toEqual({ row: 2, column: 0 });
    expect(stepCell({ row: 2, column: 0 }, -1, size)).toEqual({ row: 0, column: 1 });
    expect(stepCell({ row: 0, column: 0 }, -1, size)).toBeNull();
    expect(stepCell({ row: 2, column: 1 }, 1, size)).toEqual({ row: 3, column: 0 });
  });
});
