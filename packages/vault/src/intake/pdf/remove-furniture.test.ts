import { describe, expect, it } from 'vitest';
import { page, run } from '../../../../../test/intake/pdf-runs.ts';
import { removeFurniture } from './remove-furniture.ts';

type Edge = string | { text: string; y: number };

/** What is left of lines at the upper edge, one on each page. Each page has other lines at its middle. */
function left(...edges: (Edge | undefined)[]): string[] {
  const pages = edges.map((edge, index) => {
    const { text, y } = typeof edge === 'string' ? { text: edge, y: 40 } : (edge ?? { text: '', y: 0 });
    const body = [run('Once upon', { y: 500 }), run('a time', { y: 512 })];
    return page(index + 1, text === '' ? body : [run(text, { y }), ...body]);
  });
  return removeFurniture(pages).flatMap(({ runs }) =>
    runs.map(({ text }) => text).filter((text) => text !== 'Once upon' && text !== 'a time'),
  );
}

/** The same on some of so many pages. */
const on = (some: number, all: number, edge: Edge): (Edge | undefined)[] =>
  Array.from({ length: all }, (_, index) => (index < some ? edge : undefined));

describe('a header', () => {
  it('stands in the upper 0.12 of the page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(119), at(119), at(119))).toEqual([]);
    expect(left(at(121), at(121), at(121))).toHaveLength(3);
  });

  it('stands on all of up to four pages', () => {
    expect(left(...on(4, 4, 'Report'))).toEqual([]);
    expect(left(...on(3, 4, 'Report'))).toHaveLength(3);
  });

  it('stands on 0.4 of more than four pages', () => {
    expect(left(...on(2, 5, 'Report'))).toEqual([]);
    expect(left(...on(10, 25, 'Report'))).toEqual([]);
    expect(left(...on(9, 25, 'Report'))).toHaveLength(9);
  });

  it('stands on more than one page', () => {
    expect(left('Report')).toEqual(['Report']);
  });

  it('stands in the same strip of six points on each page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(39.1), at(44.9))).toEqual([]);
    expect(left(at(39.1), at(45.1))).toHaveLength(2);
  });

  it('may have numbers that are the same or count the pages, and no others', () => {
    expect(left('Report 7 of May', 'Report 7 of May')).toEqual([]);
    expect(left('Report 7 of May', 'Report 8 of May')).toEqual([]);
    expect(left('Report 7 of May', 'Report 9 of May')).toHaveLength(2);
  });
});

describe('a footer', () => {
  it('stands in the lower 0.12 of the page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(881), at(881), at(881))).toEqual([]);
    expect(left(at(879), at(879), at(879))).toHaveLength(3);
  });
});

describe('a page number', () => {
  /** At the end of some lines of so many pages, from 7 on. */
  const numbered = (some: number, all: number): Edge[] =>
    Array.from({ length: all }, (_, index) => {
      const words = `Words ${String.fromCodePoint(97 + index)}`;
      return index < some ? `${words} ${index + 7}` : words;
    });

  it('is removed with what else its line says, where half of the pages have theirs', () => {
    expect(left(...numbered(10, 20))).toHaveLength(10);
    expect(left(...numbered(9, 20))).toHaveLength(20);
  });

  it('is at the beginning or the end of its line', () => {
    expect(left('7 Ants', 'Bees 8')).toEqual([]);
    expect(left('The 7 ants', 'The 8 bees')).toHaveLength(2);
  });

  it('is on two pages at least, except where it stands alone', () => {
    expect(left('Ants 7')).toEqual(['Ants 7']);
    expect(left('Page 1 of 1')).toEqual([]);
  });

  it('belongs to the first or the last line', () => {
    expect(left({ text: 'Ants 7', y: 900 }, { text: 'Bees 8', y: 900 })).toEqual([]);
    const pages = [1, 2].map((number) =>
      page(number, [
        run(number === 1 ? 'Ants' : 'Bees', { y: 40 }),
        run(`${'ab'[number - 1]} ${number}`, { y: 60 }),
        run('Once upon', { y: 500 }),
      ]),
    );
    expect(removeFurniture(pages).map(({ runs }) => runs.length)).toEqual([3, 3]);
  });

  it('is Roman in documents of more than four pages', () => {
    expect(left('iv', 'Ants', 'Bees', 'Cats')).toContain('iv');
    expect(left('iv', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('iv');
    expect(left('v', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('v');
    expect(left('xlviii', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('xlviii');
    expect(left('lxxviii', 'Ants', 'Bees', 'Cats', 'Dogs')).toContain('lxxviii');
  });
});
