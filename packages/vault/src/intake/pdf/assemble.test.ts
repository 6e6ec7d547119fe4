import { describe, expect, it } from 'vitest';
import { letters, piece } from '../../../../../test/intake/pdf-runs.ts';
import { assemble } from './assemble.ts';
import type { Block } from './block.ts';
import { softHyphen } from './rejoin-hyphenation.ts';
import { plainText } from './format-spans.ts';

type Place = { page?: number; top?: number; size?: number; room?: number };

function paragraph(text: string, { page = 1, top = 0, size = 10, room = 100 }: Place = {}): Block {
  const place = { left: 0, right: 100, top, bottom: top + 20, page };
  return { ...place, kind: 'paragraph', pieces: [piece(text)], size, room };
}

function table(page: number, rows: string[][]): Block {
  const place = { left: 0, right: 100, top: 0, bottom: 20, page };
  return { ...place, kind: 'table', rows: rows.map((row) => row.map((cell) => [piece(cell)])) };
}

function heading(size: number, more: { isLarge?: boolean; level?: number } = {}): Block {
  const place = { left: 0, right: 100, top: 0, bottom: 20, page: 1 };
  return { ...place, kind: 'heading', pieces: [piece('Heading')], size, isLarge: true, ...more };
}

/** The texts of the resulting paragraphs, and the rows of the tables. */
const read = (...pages: Block[][]): string[] =>
  assemble(pages).flatMap((block) => {
    if (block.kind === 'table') return [block.rows.map((row) => row.map(plainText).join(',')).join(' ')];
    return 'pieces' in block ? [plainText(block.pieces)] : [block.kind];
  });

describe('a paragraph split by the end of a page or column', () => {
  const next = (text: string, place: Place = {}): Block[] => [paragraph(text, { page: 2, ...place })];

  it('continues if the next page starts with a lowercase letter', () => {
    expect(read([paragraph('It ends')], next('on the next page'))).toEqual(['It ends on the next page']);
    expect(read([paragraph('It ends')], next('On the next page'))).toHaveLength(2);
  });

  it('does not continue after a full stop', () => {
    expect(read([paragraph('It ends.')], next('on the next page'))).toHaveLength(2);
  });

  it('continues only if the font sizes differ by less than 0.6 points', () => {
    expect(read([paragraph('It ends')], next('on the next page', { size: 10.55 }))).toHaveLength(1);
    expect(read([paragraph('It ends')], next('on the next page', { size: 10.65 }))).toHaveLength(2);
  });

  it('continues in the next column, higher on the same page', () => {
    const end = paragraph('It ends', { top: 500 });
    expect(read([end, paragraph('in a column', { top: 479 })])).toHaveLength(1);
    expect(read([end, paragraph('in a column', { top: 481 })])).toHaveLength(2);
  });

  it('continues with a capital letter if its last line has no room for the next word', () => {
    // «Word» is about 4 × 0.45 × 10 points wide.
    const end = (room: number, count = 61): Block[] => [paragraph(letters(count), { room })];
    expect(read(end(17.9), next('Word'))).toHaveLength(1);
    expect(read(end(18.1), next('Word'))).toHaveLength(2);
    expect(read(end(17.9, 60), next('Word'))).toHaveLength(2);
  });

  it('ends after a question mark, even if its last line has no room for the next word', () => {
    expect(read([paragraph(`${letters(61)}.`, { room: 0 })], next('Word'))).toHaveLength(1);
    expect(read([paragraph(`${letters(61)}?`, { room: 0 })], next('Word'))).toHaveLength(2);
  });

  it('continues after an image, even in the middle of a word', () => {
    const place = { left: 0, right: 100, top: 50, bottom: 90, page: 1 };
    const picture: Block = { ...place, kind: 'picture', bytes: new Uint8Array(), description: '' };
    expect(read([paragraph('a com-'), picture], next('merce'))).toEqual([
      `a com${softHyphen}merce`,
      'picture',
    ]);
  });
});

describe('a table split by the end of a page', () => {
  const first = table(1, [
    ['Name', 'Age'],
    ['Ann', '31'],
  ]);

  it('continues only on the next page', () => {
    expect(read([first], [table(2, [['Bob', '32']])])).toEqual(['Name,Age Ann,31 Bob,32']);
    expect(read([first], [table(3, [['Bob', '32']])])).toHaveLength(2);
    expect(read([first, table(1, [['Bob', '32']])])).toHaveLength(2);
  });

  it('continues only with the same number of columns', () => {
    expect(read([first], [table(2, [['Bob', '32', 'here']])])).toHaveLength(2);
  });

  it('keeps a repeated header row only once', () => {
    const next = table(2, [
      ['Name', 'Age'],
      ['Bob', '32'],
    ]);
    expect(read([first], [next])).toEqual(['Name,Age Ann,31 Bob,32']);
  });
});

describe('the level of a heading', () => {
  const levels = (...headings: Block[]): (number | undefined)[] =>
    assemble([headings]).map((block) => (block.kind === 'heading' ? block.level : undefined));

  it('is the rank of its font size, which is rounded to half a point', () => {
    expect(levels(heading(16), heading(20), heading(16.2))).toEqual([2, 1, 2]);
    expect(levels(heading(16), heading(20), heading(16.3))).toEqual([3, 1, 2]);
  });

  it('is at most 6', () => {
    expect(levels(...[26, 24, 22, 20, 18, 16, 14].map((size) => heading(size)))).toEqual([
      1, 2, 3, 4, 5, 6, 6,
    ]);
  });

  it('is at least 2 when the heading is only bold', () => {
    expect(levels(heading(10, { isLarge: false }))).toEqual([2]);
    expect(levels(heading(16), heading(12), heading(10, { isLarge: false }))).toEqual([1, 2, 3]);
  });

  it('is the level that the document states, if any', () => {
    expect(levels(heading(20, { level: 4 }), heading(12))).toEqual([4, 1]);
  });
});
