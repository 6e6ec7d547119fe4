import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { selectPassages as choose } from './passages.ts';

const lines = (count: number, text = 'some words in a line'): string[] =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
const scores = (...own: number[]) => own.map((each) => ({ direct: each, withNeighbors: each }));
const chunk = (fileLines: string[], start: number, own: number[], more = {}) => ({
  path: 'vault/x.md' as VaultPath,
  fileLines,
  lines: { start, end: start + own.length - 1 },
  lineScores: scores(...own),
  score: 1,
  bodyStart: 1,
  ...more,
});
const defaults = {
  tokenBudget: 2_000,
  minPassages: 3,
  maxTokens: 6_000,
  context: 3,
  maxPassages: 20,
  minRelativeScore: 0.25,
};
const choosePassages = (...given: Parameters<typeof choose>) => choose(...given).passages;
const shown = (chunks: ReturnType<typeof chunk>[], more = {}) =>
  choosePassages(chunks, { ...defaults, ...more }).map((each) => [each.shown.start, each.shown.end]);
const among = (count: number, ...matching: number[]): number[] =>
  Array.from({ length: count }, (_, index) => (matching.includes(index + 1) ? 1 : 0));

describe('passages', () => {
  it('show a short chunk completely, with the requested lines of context', () => {
    const short = chunk(lines(40), 20, [1, 0.5, 0.2]);
    expect(shown([short])).toEqual([[17, 25]]);
    expect(shown([short], { context: 0 })).toEqual([[20, 22]]);
    expect(shown([short], { context: 10 })).toEqual([[10, 32]]);
    expect(shown([chunk(lines(4), 2, [1, 1])])).toEqual([[1, 4]]);
  });

  it('show the short section under a heading in a long chunk', () => {
    const text = [...lines(60), '', '## Boiler', 'serviced', 'in October', '', '## Garden', ...lines(60)];
    expect(shown([chunk(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[62, 64]]);
  });

  it('extend up to the outermost enclosing heading whose section is short', () => {
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
    expect(shown([chunk(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[61, 65]]);
  });

  it('are reduced to a paragraph, list item, table row or line if no section is short', () => {
    const paragraphs = [...lines(60), '', 'one', 'two', 'three', '', ...lines(60)];
    expect(shown([chunk(paragraphs, 1, among(paragraphs.length, 63))], { context: 0 })).toEqual([[62, 64]]);
    const list = Array.from({ length: 60 }, (_, index) => [
      `- item ${index}`,
      '  continued',
      '  further',
    ]).flat();
    expect(shown([chunk(list, 1, among(list.length, 32))], { context: 0 })).toEqual([[31, 33]]);
    const table = Array.from({ length: 100 }, (_, index) => `| row ${index} | with some more words |`);
    expect(shown([chunk(table, 1, among(table.length, 50))], { context: 0 })).toEqual([[50, 50]]);
    expect(shown([chunk(lines(200), 1, among(200, 100))], { context: 0 })).toEqual([[100, 100]]);
  });

  it('do not start or end with blank lines, and extend to the next line with text', () => {
    const text = ['first', '', '', '', 'boiler', '', '', '', '', 'last', '', ''];
    expect(shown([chunk(text, 5, [1])])).toEqual([[1, 10]]);
  });

  it('do not use frontmatter as context, but show it if it matches', () => {
    const text = ['---', 'aliases: [Zanzibar]', '---', '', '# Boiler', 'serviced', 'in June'];
    expect(shown([chunk(text, 5, [0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
    expect(shown([chunk(text, 1, [0, 1, 0], { bodyStart: 4 })])).toEqual([[1, 6]]);
    expect(shown([chunk(text, 1, [0, 0, 0, 0, 0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
  });

  it('are merged if they touch, and keep the best line', () => {
    const text = lines(200);
    const found = choosePassages([chunk(text, 1, among(200, 50, 57))], defaults);
    expect(found).toMatchObject([{ shown: { start: 47, end: 60 }, best: 50 }]);
    expect(shown([chunk(text, 1, among(200, 50, 90))])).toEqual([
      [47, 53],
      [87, 93],
    ]);
    expect(shown([chunk(text, 1, among(100, 100)), chunk(text, 101, among(100, 4))])).toEqual([[97, 107]]);
  });

  it('have a best line that is chosen by its own terms, not by those of its neighbors', () => {
    const near = [0, 0.5, 0.6, 0.5, 0].map((each, index) => ({
      direct: index === 3 ? 0.5 : 0,
      withNeighbors: each,
    }));
    const [found] = choosePassages([{ ...chunk(lines(5), 1, [0, 0, 0, 0, 0]), lineScores: near }], defaults);
    expect(found?.best).toBe(4);
  });

  it('are complete and sorted by score within the budget; a passage that does not fit is skipped for a smaller one', () => {
    const file = (name: string, length: number) => ({
      path: `vault/${name}.md` as VaultPath,
      fileLines: lines(9, 'x'.repeat(length)),
    });
    const of = (name: string, length: number, score: number) =>
      chunk([], 5, [1], { ...file(name, length), score });
    const chunks = [
      of('a', 100, 1),
      of('b', 100, 0.9),
      of('c', 100, 0.8),
      of('large', 800, 0.7),
      of('small', 20, 0.6),
    ];
    const found = choosePassages(chunks, { ...defaults, tokenBudget: 700 });
    expect(found.map(({ chunk: index }) => index)).toEqual([0, 1, 2, 4]);
    for (const each of found) expect([each.shown.start, each.shown.end]).toEqual([2, 8]);
  });

  it('exceed the budget to include three that score well, and never include one far below the best', () => {
    const of = (index: number, score: number) =>
      chunk(lines(9, 'x'.repeat(1_000)), 5, [1], { path: `vault/${index}.md` as VaultPath, score });
    const chunks = [of(1, 1), of(2, 0.9), of(3, 0.8), of(4, 0.7), of(5, 0.2)];
    expect(choosePassages(chunks, defaults)).toHaveLength(3);
    expect(choosePassages([of(1, 1), of(2, 0.2)], defaults)).toHaveLength(1);
    expect(choosePassages([of(1, 1), of(2, 0.2)], { ...defaults, minRelativeScore: 0 })).toHaveLength(2);
    expect(choosePassages(chunks, { ...defaults, maxPassages: 2 })).toHaveLength(2);
  });

  it('start at the beginning of a chunk that matches only in its headings', () => {
    expect(shown([chunk(lines(200), 1, among(200))])).toEqual([[1, 4]]);
  });
});
