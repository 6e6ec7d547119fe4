import { describe, expect, it } from 'vitest';
import { letters, line } from '../../../../../test/intake/pdf-runs.ts';
import type { Block } from './block.ts';
import type { Line } from './line.ts';
import { readColumn } from './read-column.ts';

/** Letters of 10 points, in lines 12 points apart. */
const read = (...lines: Line[]): Block[] => readColumn(lines, 1, { size: 10, leading: 1.2 });
const kinds = (...lines: Line[]): string[] => read(...lines).map(({ kind }) => kind);

const full = letters(60);

describe('a new paragraph', () => {
  it('starts where the line spacing is more than 1.25 times the normal spacing', () => {
    expect(read(line(full), line(full, { y: 114.9 }))).toHaveLength(1);
    expect(read(line(full), line(full, { y: 115.1 }))).toHaveLength(2);
  });

  it('starts where the font size changes by more than 8%', () => {
    expect(read(line(full), line(full, { y: 112, size: 10.8 }))).toHaveLength(1);
    expect(read(line(full), line(full, { y: 112, size: 10.9 }))).toHaveLength(2);
  });

  it('starts where the next line is higher up, at the top of another column', () => {
    expect(read(line(full, { y: 500 }), line(full, { y: 100 }))).toHaveLength(2);
  });

  it('starts with a line that is indented by more than 0.8 font sizes', () => {
    const indented = (x: number): Line[] => [line(full), line(full, { y: 112 }), line(full, { x, y: 124 })];
    expect(read(...indented(7.9))).toHaveLength(1);
    expect(read(...indented(8.1))).toHaveLength(2);
  });

  it('starts with an indented line only if the line above is indented by less than 0.4 font sizes', () => {
    const below = (x: number): Line[] => [
      line(full),
      line(full, { y: 112 }),
      line(full, { y: 124 }),
      line(full, { x, y: 136 }),
      line(full, { x: 9, y: 148 }),
    ];
    expect(read(...below(3.9))).toHaveLength(2);
    expect(read(...below(4.1))).toHaveLength(1);
  });

  it('starts after a sentence whose last line has room for the next word', () => {
    // «Then» needs 31 points of 300.
    const ended = (end: string, next: string, count: number): Line[] => [
      line(full),
      line(`${letters(count - 1)}${end}`, { y: 112 }),
      line(next, { y: 124 }),
    ];
    expect(read(...ended('.', 'Then it went on', 54))).toHaveLength(1);
    expect(read(...ended('.', 'Then it went on', 53))).toHaveLength(2);
    expect(read(...ended(',', 'Then it went on', 53))).toHaveLength(1);
    expect(read(...ended('.', 'then it went on', 53))).toHaveLength(1);
  });

  it('starts where bold text starts or ends, if the line before has room for the next word', () => {
    const bold = (count: number): Line[] => [
      line(full),
      line(letters(count), { y: 112, isBold: true }),
      line('then it went on', { y: 124 }),
    ];
    expect(read(...bold(54))).toHaveLength(1);
    expect(read(...bold(53))).toHaveLength(2);
  });
});

describe('a heading', () => {
  it('is at least 1.15 times as large as the text', () => {
    expect(kinds(line('Title', { size: 11.4 }))).toEqual(['paragraph']);
    expect(kinds(line('Title', { size: 11.5 }))).toEqual(['heading']);
  });

  it('has at most 250 letters', () => {
    expect(kinds(line(letters(250), { size: 12 }))).toEqual(['heading']);
    expect(kinds(line(letters(251), { size: 12 }))).toEqual(['paragraph']);
  });

  it('has at most four lines', () => {
    const title = [0, 1, 2, 3, 4].map((index) => line(letters(40), { size: 12, y: 100 + index * 14 }));
    expect(kinds(...title.slice(1))).toEqual(['heading']);
    expect(kinds(...title)).toEqual(['paragraph']);
  });

  it('contains letters, not only digits', () => {
    expect(kinds(line('2024', { size: 12 }))).toEqual(['paragraph']);
  });
});

describe('a heading that is bold but not larger', () => {
  const bold = (text: string, place: { size?: number; y?: number } = {}): Line =>
    line(text, { isBold: true, ...place });

  it('has at most 90 letters', () => {
    expect(kinds(bold(letters(90)))).toEqual(['heading']);
    expect(kinds(bold(letters(91)))).toEqual(['paragraph']);
  });

  it('has at least 0.95 times the font size of the text', () => {
    expect(kinds(bold('Title', { size: 9.5 }))).toEqual(['heading']);
    expect(kinds(bold('Title', { size: 9.4 }))).toEqual(['paragraph']);
  });

  it('is separated from the text above by more than 1.2 times the line spacing', () => {
    expect(kinds(line(full), line('a short end', { y: 112 }), bold('Title', { y: 126.3 }))).toEqual([
      'paragraph',
      'paragraph',
    ]);
    expect(kinds(line(full), line('a short end', { y: 112 }), bold('Title', { y: 126.5 }))).toEqual([
      'paragraph',
      'heading',
    ]);
  });

  it('does not end like a sentence and is not a list item', () => {
    expect(kinds(bold('Title.'))).toEqual(['paragraph']);
    expect(kinds(bold('Title:'))).toEqual(['paragraph']);
    expect(kinds(bold('1. Title'))).toEqual(['item']);
  });
});

describe('a list item', () => {
  it('starts at each marker', () => {
    expect(kinds(line('• milk'), line('• bread', { y: 112 }))).toEqual(['item', 'item']);
  });

  it('continues on a line that starts at least half a font size to the right of its marker', () => {
    const item = (x: number): Line[] => [
      line(full, { y: 88 }),
      line('• milk'),
      line('or bread', { x, y: 112 }),
    ];
    expect(kinds(...item(4.9))).toEqual(['paragraph', 'item', 'paragraph']);
    expect(kinds(...item(5.1))).toEqual(['paragraph', 'item']);
  });

  it('continues on a line that starts below its marker if the line above is full', () => {
    expect(kinds(line(`• ${full}`), line('or bread', { y: 112 }))).toEqual(['item']);
  });

  it('is nested when it is indented by more than four points', () => {
    const depths = (x: number): (number | undefined)[] =>
      read(line('• food'), line('• milk', { x, y: 112 }), line('• tools', { y: 124 })).map((block) =>
        block.kind === 'item' ? block.depth : undefined,
      );
    expect(depths(3.9)).toEqual([0, 0, 0]);
    expect(depths(4.1)).toEqual([0, 1, 0]);
  });

  it('is nested under the item above if that one is more than four points further left', () => {
    const last = (x: number): Block | undefined =>
      read(
        line('• milk', { x: 20 }),
        line('• tools', { x, y: 112 }),
        line('• nails', { x: 20.2, y: 124 }),
      ).at(-1);
    expect(last(16.1)).toMatchObject({ depth: 0 });
    expect(last(15.9)).toMatchObject({ depth: 1 });
  });

  it('is created for each line of a table of contents', () => {
    expect(kinds(line('Cleaning .... 12'), line('Sewing .... 14', { y: 112 }))).toEqual(['item', 'item']);
    expect(kinds(line('Cleaning ... 12'), line('sewing ... 14', { y: 112 }))).toEqual(['paragraph']);
  });
});

describe('code', () => {
  const code = (text: string, y = 100): Line => line(text, { y, isMono: true });

  it('is at least two monospaced lines, or one that looks like a command', () => {
    expect(kinds(code('keepsake'))).toEqual(['paragraph']);
    expect(kinds(code('keepsake'), code('search', 112))).toEqual(['code']);
    expect(kinds(code('$ keepsake'))).toEqual(['code']);
    expect(kinds(code('keepsake();'))).toEqual(['code']);
  });

  it('continues after empty lines with up to 2.5 times the normal spacing', () => {
    expect(kinds(code('one();'), code('two();', 129.9))).toEqual(['code']);
    expect(kinds(code('one();'), code('two();', 130.1))).toEqual(['code', 'code']);
  });

  it('starts where prose ends', () => {
    expect(kinds(line(full), code('one();', 112), code('two();', 124))).toEqual(['paragraph', 'code']);
  });
});
