import { describe, expect, it } from 'vitest';
import { page, run } from '../../../../../test/intake/pdf-runs.ts';
import { removeHeadersFooters } from './remove-headers-footers.ts';

type Edge = string | { text: string; y: number };

/**
 * Puts one of these lines at the top edge of each page, and returns those that remain. Each page has other lines in its
 * middle.
 */
function left(...edges: (Edge | undefined)[]): string[] {
  const pages = edges.map((edge, index) => {
    const { text, y } = typeof edge === 'string' ? { text: edge, y: 40 } : (edge ?? { text: '', y: 0 });
    const body = [run('Once upon', { y: 500 }), run('a time', { y: 512 })];
    return page(index + 1, text === '' ? body : [run(text, { y }), ...body]);
  });
  return removeHeadersFooters(pages).flatMap(({ runs }) =>
    runs.map(({ text }) => text).filter((text) => text !== 'Once upon' && text !== 'a time'),
  );
}

/** The same line on `some` of `all` pages. */
const on = (some: number, all: number, edge: Edge): (Edge | undefined)[] =>
  Array.from({ length: all }, (_, index) => (index < some ? edge : undefined));

describe('a header', () => {
  it('is in the top 12% of the page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(119), at(119), at(119))).toEqual([]);
    expect(left(at(121), at(121), at(121))).toHaveLength(3);
  });

  it('is on every page of a document of up to four pages', () => {
    expect(left(...on(4, 4, 'Report'))).toEqual([]);
    expect(left(...on(3, 4, 'Report'))).toHaveLength(3);
  });

  it('is on at least 40% of the pages of a longer document', () => {
    expect(left(...on(2, 5, 'Report'))).toEqual([]);
    expect(left(...on(10, 25, 'Report'))).toEqual([]);
    expect(left(...on(9, 25, 'Report'))).toHaveLength(9);
  });

  it('is on more than one page', () => {
    expect(left('Report')).toEqual(['Report']);
  });

  it('is in the same horizontal strip, six points high, on each page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(39.1), at(44.9))).toEqual([]);
    expect(left(at(39.1), at(45.1))).toHaveLength(2);
  });

  it('contains no numbers other than constant ones and page numbers', () => {
    expect(left('Report 7 of May', 'Report 7 of May')).toEqual([]);
    expect(left('Report 7 of May', 'Report 8 of May')).toEqual([]);
    expect(left('Report 7 of May', 'Report 9 of May')).toHaveLength(2);
  });
});

describe('a footer', () => {
  it('is in the bottom 12% of the page', () => {
    const at = (y: number): Edge => ({ text: 'Report', y });
    expect(left(at(881), at(881), at(881))).toEqual([]);
    expect(left(at(879), at(879), at(879))).toHaveLength(3);
  });
});

describe('a page number', () => {
  /** Page numbers from 7 on, at the end of a line on `some` of `all` pages. */
  const numbered = (some: number, all: number): Edge[] =>
    Array.from({ length: all }, (_, index) => {
      const words = `Words ${String.fromCodePoint(97 + index)}`;
      return index < some ? `${words} ${index + 7}` : words;
    });

  it('is removed with the rest of its line when at least half of the pages have one', () => {
    expect(left(...numbered(10, 20))).toHaveLength(10);
    expect(left(...numbered(9, 20))).toHaveLength(20);
  });

  it('is at the start or the end of its line', () => {
    expect(left('7 Ants', 'Bees 8')).toEqual([]);
    expect(left('The 7 ants', 'The 8 bees')).toHaveLength(2);
  });

  it('is recognized only if at least two pages have one, unless it is alone on its line', () => {
    expect(left('Ants 7')).toEqual(['Ants 7']);
    expect(left('Page 1 of 1')).toEqual([]);
  });

  it('is in the first or the last line of its page', () => {
    expect(left({ text: 'Ants 7', y: 900 }, { text: 'Bees 8', y: 900 })).toEqual([]);
    const pages = [1, 2].map((number) =>
      page(number, [
        run(number === 1 ? 'Ants' : 'Bees', { y: 40 }),
        run(`${'ab'[number - 1]} ${number}`, { y: 60 }),
        run('Once upon', { y: 500 }),
      ]),
    );
    expect(removeHeadersFooters(pages).map(({ runs }) => runs.length)).toEqual([3, 3]);
  });

  it('may be a Roman numeral in documents of more than four pages', () => {
    expect(left('iv', 'Ants', 'Bees', 'Cats')).toContain('iv');
    expect(left('iv', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('iv');
    expect(left('v', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('v');
    expect(left('xlviii', 'Ants', 'Bees', 'Cats', 'Dogs')).not.toContain('xlviii');
    expect(left('lxxviii', 'Ants', 'Bees', 'Cats', 'Dogs')).toContain('lxxviii');
  });
});
