import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { choosePassages as choose } from './passages.ts';

const lines = (count: number, text = 'some words in a line'): string[] =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
const scores = (...own: number[]) => own.map((each) => ({ own: each, near: each }));
const section = (fileLines: string[], start: number, own: number[], more = {}) => ({
  path: 'vault/x.md' as VaultPath,
  fileLines,
  lines: { start, end: start + own.length - 1 },
  lineScores: scores(...own),
  score: 1,
  bodyStart: 1,
  ...more,
});
const usual = { budget: 2_000, atLeast: 3, ceiling: 6_000, context: 3, most: 20, worthShowing: 0.25 };
const choosePassages = (...given: Parameters<typeof choose>) => choose(...given).passages;
const shown = (sections: ReturnType<typeof section>[], more = {}) =>
  choosePassages(sections, { ...usual, ...more }).map((each) => [each.shown.start, each.shown.end]);
const among = (count: number, ...matching: number[]): number[] =>
  Array.from({ length: count }, (_, index) => (matching.includes(index + 1) ? 1 : 0));

describe('passages', () => {
  it('are a short section whole, with as many lines above and below as were asked for', () => {
    const short = section(lines(40), 20, [1, 0.5, 0.2]);
    expect(shown([short])).toEqual([[17, 25]]);
    expect(shown([short], { context: 0 })).toEqual([[20, 22]]);
    expect(shown([short], { context: 10 })).toEqual([[10, 32]]);
    expect(shown([section(lines(4), 2, [1, 1])])).toEqual([[1, 4]]);
  });

  it('are what stands under a heading of a long section, if that is short', () => {
    const text = [...lines(60), '', '## Boiler', 'serviced', 'in October', '', '## Garden', ...lines(60)];
    expect(shown([section(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[62, 64]]);
  });

  it('are as much under the headings above as is short', () => {
    const text = [
      ...lines(60),
      '## House',
      '### Boiler',
      'serviced',
      '### Roof',
      'leaks',
      '## Garden',
      ...lines(60),
    ];
    expect(shown([section(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[61, 65]]);
  });

  it('are else the paragraph, the list item, the row, the line', () => {
    const paragraphs = [...lines(60), '', 'one', 'two', 'three', '', ...lines(60)];
    expect(shown([section(paragraphs, 1, among(paragraphs.length, 63))], { context: 0 })).toEqual([[62, 64]]);
    const list = Array.from({ length: 60 }, (_, index) => [
      `- item ${index}`,
      '  continued',
      '  further',
    ]).flat();
    expect(shown([section(list, 1, among(list.length, 32))], { context: 0 })).toEqual([[31, 33]]);
    const table = Array.from({ length: 100 }, (_, index) => `| row ${index} | with some more words |`);
    expect(shown([section(table, 1, among(table.length, 50))], { context: 0 })).toEqual([[50, 50]]);
    expect(shown([section(lines(200), 1, among(200, 100))], { context: 0 })).toEqual([[100, 100]]);
  });

  it('have no blank lines at their edges, and go on to a line that says something', () => {
    const text = ['first', '', '', '', 'boiler', '', '', '', '', 'last', '', ''];
    expect(shown([section(text, 5, [1])])).toEqual([[1, 10]]);
  });

  it('do not count frontmatter as context, and show it where it is what was found', () => {
    const text = ['---', 'aliases: [Zanzibar]', '---', '', '# Boiler', 'serviced', 'in June'];
    expect(shown([section(text, 5, [0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
    expect(shown([section(text, 1, [0, 1, 0], { bodyStart: 4 })])).toEqual([[1, 6]]);
    expect(shown([section(text, 1, [0, 0, 0, 0, 0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
  });

  it('become one where they touch, and know their best line', () => {
    const text = lines(200);
    const found = choosePassages([section(text, 1, among(200, 50, 57))], usual);
    expect(found).toMatchObject([{ shown: { start: 47, end: 60 }, best: 50 }]);
    expect(shown([section(text, 1, among(200, 50, 90))])).toEqual([
      [47, 53],
      [87, 93],
    ]);
    expect(shown([section(text, 1, among(100, 100)), section(text, 101, among(100, 4))])).toEqual([
      [97, 107],
    ]);
  });

  it('know their best line by its own words, not by those next to it', () => {
    const near = [0, 0.5, 0.6, 0.5, 0].map((each, index) => ({ own: index === 3 ? 0.5 : 0, near: each }));
    const [found] = choosePassages([{ ...section(lines(5), 1, [0, 0, 0, 0, 0]), lineScores: near }], usual);
    expect(found?.best).toBe(4);
  });

  it('are best first, whole, until the budget is used; what no longer fits makes room for what does', () => {
    const file = (name: string, length: number) => ({
      path: `vault/${name}.md` as VaultPath,
      fileLines: lines(9, 'x'.repeat(length)),
    });
    const of = (name: string, length: number, score: number) =>
      section([], 5, [1], { ...file(name, length), score });
    const sections = [
      of('a', 100, 1),
      of('b', 100, 0.9),
      of('c', 100, 0.8),
      of('large', 800, 0.7),
      of('small', 20, 0.6),
    ];
    const found = choosePassages(sections, { ...usual, budget: 700 });
    expect(found.map(({ section: index }) => index)).toEqual([0, 1, 2, 4]);
    for (const each of found) expect([each.shown.start, each.shown.end]).toEqual([2, 8]);
  });

  it('are at least three where three are worth it, and never what is far below the best', () => {
    const of = (index: number, score: number) =>
      section(lines(9, 'x'.repeat(1_000)), 5, [1], { path: `vault/${index}.md` as VaultPath, score });
    const sections = [of(1, 1), of(2, 0.9), of(3, 0.8), of(4, 0.7), of(5, 0.2)];
    expect(choosePassages(sections, usual)).toHaveLength(3);
    expect(choosePassages([of(1, 1), of(2, 0.2)], usual)).toHaveLength(1);
    expect(choosePassages([of(1, 1), of(2, 0.2)], { ...usual, worthShowing: 0 })).toHaveLength(2);
    expect(choosePassages(sections, { ...usual, most: 2 })).toHaveLength(2);
  });

  it('of a section whose words stand only in its headings are its beginning', () => {
    expect(shown([section(lines(200), 1, among(200))])).toEqual([[1, 4]]);
  });
});
