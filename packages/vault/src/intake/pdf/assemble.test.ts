import { describe, expect, it } from 'vitest';
import { letters, piece } from '../../../../../test/intake/pdf-runs.ts';
import { assemble } from './assemble.ts';
import type { Block } from './block.ts';
import { division } from './mend-words.ts';
import { plainText } from './write-pieces.ts';

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

/** The texts of the paragraphs that are left, and the rows of the tables. */
const read = (...pages: Block[][]): string[] =>
  assemble(pages).flatMap((block) => {
    if (block.kind === 'table') return [block.rows.map((row) => row.map(plainText).join(',')).join(' ')];
    return 'pieces' in block ? [plainText(block.pieces)] : [block.kind];
  });

describe('a paragraph that a page ends in the middle of', () => {
  const next = (text: string, place: Place = {}): Block[] => [paragraph(text, { page: 2, ...place })];

  it('goes on with a small letter', () => {
    expect(read([paragraph('It ends')], next('on the next page'))).toEqual(['It ends on the next page']);
    expect(read([paragraph('It ends')], next('On the next page'))).toHaveLength(2);
  });

  it('does not end with a full stop', () => {
    expect(read([paragraph('It ends.')], next('on the next page'))).toHaveLength(2);
  });

  it('goes on in letters of its size, by less than 0.6 points', () => {
    expect(read([paragraph('It ends')], next('on the next page', { size: 10.55 }))).toHaveLength(1);
    expect(read([paragraph('It ends')], next('on the next page', { size: 10.65 }))).toHaveLength(2);
  });

  it('goes on further up on the same page, in the next column', () => {
    const end = paragraph('It ends', { top: 500 });
    expect(read([end, paragraph('in a column', { top: 479 })])).toHaveLength(1);
    expect(read([end, paragraph('in a column', { top: 481 })])).toHaveLength(2);
  });

  it('goes on with a capital when its last line has no room for the next word', () => {
    // «Word» is about 4 × 0.45 × 10 points wide.
    const end = (room: number, count = 61): Block[] => [paragraph(letters(count), { room })];
    expect(read(end(17.9), next('Word'))).toHaveLength(1);
    expect(read(end(18.1), next('Word'))).toHaveLength(2);
    expect(read(end(17.9, 60), next('Word'))).toHaveLength(2);
  });

  it('ends with a question, even without room for the next word', () => {
    expect(read([paragraph(`${letters(61)}.`, { room: 0 })], next('Word'))).toHaveLength(1);
    expect(read([paragraph(`${letters(61)}?`, { room: 0 })], next('Word'))).toHaveLength(2);
  });

  it('goes on after a picture, and inside of a word', () => {
    const place = { left: 0, right: 100, top: 50, bottom: 90, page: 1 };
    const picture: Block = { ...place, kind: 'picture', bytes: new Uint8Array(), description: '' };
    expect(read([paragraph('a com-'), picture], next('merce'))).toEqual([`a com${division}merce`, 'picture']);
  });
});

describe('a table that a page ends in the middle of', () => {
  const first = table(1, [
    ['Name', 'Age'],
    ['Ann', '31'],
  ]);

  it('goes on on the next page, but not later', () => {
    expect(read([first], [table(2, [['Bob', '32']])])).toEqual(['Name,Age Ann,31 Bob,32']);
    expect(read([first], [table(3, [['Bob', '32']])])).toHaveLength(2);
    expect(read([first, table(1, [['Bob', '32']])])).toHaveLength(2);
  });

  it('goes on with as many columns', () => {
    expect(read([first], [table(2, [['Bob', '32', 'here']])])).toHaveLength(2);
  });

  it('has its head once', () => {
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

  it('is the rank of its size, to half a point', () => {
    expect(levels(heading(16), heading(20), heading(16.2))).toEqual([2, 1, 2]);
    expect(levels(heading(16), heading(20), heading(16.3))).toEqual([3, 1, 2]);
  });

  it('is 6 at most', () => {
    expect(levels(...[26, 24, 22, 20, 18, 16, 14].map((size) => heading(size)))).toEqual([
      1, 2, 3, 4, 5, 6, 6,
    ]);
  });

  it('is 2 at least where it is only bold', () => {
    expect(levels(heading(10, { isLarge: false }))).toEqual([2]);
    expect(levels(heading(16), heading(12), heading(10, { isLarge: false }))).toEqual([1, 2, 3]);
  });

  it('is what the document says where it says so', () => {
    expect(levels(heading(20, { level: 4 }), heading(12))).toEqual([4, 1]);
  });
});
