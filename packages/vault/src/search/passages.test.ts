import { describe, expect, it } from 'vitest';
import type { Revision, VaultPath } from '../vault/index.ts';
import type { IndexedChunk } from './chunk-index.ts';
import type { LoadChunk } from './load-chunks.ts';
import { createPassageSelector, rankAllLines } from './passages.ts';
import type { PassageRange } from './passages.ts';
import type { Scored } from './score-chunks.ts';

const lines = (count: number, text = 'some words in a line'): string[] =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}`);
const scores = (...own: number[]) => own.map((each) => ({ direct: each, withNeighbors: each }));

type Chunk = Scored<IndexedChunk> & { fileLines: string[]; bodyStart: number };
type More = Partial<Pick<Chunk, 'score' | 'lineScores' | 'bodyStart' | 'fileLines'>> & { path?: string };

function chunk(fileLines: string[], start: number, own: number[], more: More = {}): Chunk {
  const { path = 'vault/x.md', ...rest } = more;
  const range = { start, end: start + own.length - 1 };
  const all = { fileLines, bodyStart: 1, score: 1, lineScores: scores(...own), ...rest };
  const item: IndexedChunk = {
    id: `${path}:${start}`,
    path: path as VaultPath,
    revision: 'r' as Revision,
    kind: 'text',
    lines: range,
    headings: [],
    headingPath: '',
    body: all.fileLines.slice(range.start - 1, range.end).join('\n'),
    date: '',
  };
  return { ...all, item };
}
const defaults = {
  tokenBudget: 2_000,
  minPassages: 3,
  maxTokens: 6_000,
  context: 3,
  maxPassages: 20,
  onePerNote: false,
  minRelativeScore: 0.25,
  noise: 0,
};
async function select(chunks: Chunk[], more = {}): Promise<{ passages: PassageRange[]; loaded: number }> {
  const loaded = new Set<string | number>();
  const load: LoadChunk = async (item) => {
    loaded.add(item.id);
    const { fileLines, bodyStart } = chunks.find((each) => each.item === item)!;
    return {
      item,
      file: { lines: fileLines, bodyStart, revision: item.revision, extracted: null, isNamed: false },
    };
  };
  const { passages } = await createPassageSelector(load)(rankAllLines(chunks, null), {
    ...defaults,
    ...more,
  });
  return { passages, loaded: loaded.size };
}
const choosePassages = async (chunks: Chunk[], more = {}) => (await select(chunks, more)).passages;
const shown = async (chunks: Chunk[], more = {}) =>
  (await choosePassages(chunks, more)).map((each) => [each.shown.start, each.shown.end]);
const among = (count: number, ...matching: number[]): number[] =>
  Array.from({ length: count }, (_, index) => (matching.includes(index + 1) ? 1 : 0));

describe('passages', () => {
  it('show a short chunk completely, with the requested lines of context', async () => {
    const short = chunk(lines(40), 20, [1, 0.5, 0.2]);
    expect(await shown([short])).toEqual([[17, 25]]);
    expect(await shown([short], { context: 0 })).toEqual([[20, 22]]);
    expect(await shown([short], { context: 10 })).toEqual([[10, 32]]);
    expect(await shown([chunk(lines(4), 2, [1, 1])])).toEqual([[1, 4]]);
  });

  it('show the short section under a heading in a long chunk', async () => {
    const text = [...lines(60), '', '## Boiler', 'serviced', 'in October', '', '## Garden', ...lines(60)];
    expect(await shown([chunk(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[62, 64]]);
  });

  it('extend up to the outermost enclosing heading whose section is short', async () => {
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
    expect(await shown([chunk(text, 1, among(text.length, 63))], { context: 0 })).toEqual([[61, 65]]);
  });

  it('are reduced to a paragraph, list item, table row or line if no section is short', async () => {
    const paragraphs = [...lines(60), '', 'one', 'two', 'three', '', ...lines(60)];
    expect(await shown([chunk(paragraphs, 1, among(paragraphs.length, 63))], { context: 0 })).toEqual([
      [62, 64],
    ]);
    const list = Array.from({ length: 60 }, (_, index) => [
      `- item ${index}`,
      '  continued',
      '  further',
    ]).flat();
    expect(await shown([chunk(list, 1, among(list.length, 32))], { context: 0 })).toEqual([[31, 33]]);
    const table = Array.from({ length: 100 }, (_, index) => `| row ${index} | with some more words |`);
    expect(await shown([chunk(table, 1, among(table.length, 50))], { context: 0 })).toEqual([[50, 50]]);
    expect(await shown([chunk(lines(200), 1, among(200, 100))], { context: 0 })).toEqual([[100, 100]]);
  });

  it('do not start or end with blank lines, and extend to the next line with text', async () => {
    const text = ['first', '', '', '', 'boiler', '', '', '', '', 'last', '', ''];
    expect(await shown([chunk(text, 5, [1])])).toEqual([[1, 10]]);
  });

  it('do not use frontmatter as context, but show it if it matches', async () => {
    const text = ['---', 'aliases: [Zanzibar]', '---', '', '# Boiler', 'serviced', 'in June'];
    expect(await shown([chunk(text, 5, [0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
    expect(await shown([chunk(text, 1, [0, 1, 0], { bodyStart: 4 })])).toEqual([[1, 6]]);
    expect(await shown([chunk(text, 1, [0, 0, 0, 0, 0, 1, 0], { bodyStart: 4 })])).toEqual([[5, 7]]);
  });

  it('are merged if they touch, and keep the best line', async () => {
    const text = lines(200);
    const found = await choosePassages([chunk(text, 1, among(200, 50, 57))]);
    expect(found).toMatchObject([{ shown: { start: 47, end: 60 }, best: 50 }]);
    expect(await shown([chunk(text, 1, among(200, 50, 90))])).toEqual([
      [47, 53],
      [87, 93],
    ]);
    expect(await shown([chunk(text, 1, among(100, 100)), chunk(text, 101, among(100, 4))])).toEqual([
      [97, 107],
    ]);
  });

  it('have a best line that is chosen by its own terms, not by those of its neighbors', async () => {
    const near = [0, 0.5, 0.6, 0.5, 0].map((each, index) => ({
      direct: index === 3 ? 0.5 : 0,
      withNeighbors: each,
    }));
    const [found] = await choosePassages([chunk(lines(5), 1, [0, 0, 0, 0, 0], { lineScores: near })]);
    expect(found?.best).toBe(4);
  });

  it('are complete and sorted by score within the budget; a passage that does not fit is skipped for a smaller one', async () => {
    const of = (name: string, length: number, score: number) =>
      chunk(lines(9, 'x'.repeat(length)), 5, [1], { path: `vault/${name}.md`, score });
    const chunks = [
      of('a', 100, 1),
      of('b', 100, 0.9),
      of('c', 100, 0.8),
      of('large', 800, 0.7),
      of('small', 20, 0.6),
    ];
    const found = await choosePassages(chunks, { tokenBudget: 700 });
    expect(found.map(({ item }) => item.path.slice(6, -3))).toEqual(['a', 'b', 'c', 'small']);
    for (const each of found) expect([each.shown.start, each.shown.end]).toEqual([2, 8]);
  });

  it('exceed the budget to include three that score well, and never include one far below the best', async () => {
    const of = (index: number, score: number) =>
      chunk(lines(9, 'x'.repeat(1_000)), 5, [1], { path: `vault/${index}.md`, score });
    const chunks = [of(1, 1), of(2, 0.9), of(3, 0.8), of(4, 0.7), of(5, 0.2)];
    expect(await choosePassages(chunks)).toHaveLength(3);
    expect(await choosePassages([of(1, 1), of(2, 0.2)])).toHaveLength(1);
    expect(await choosePassages([of(1, 1), of(2, 0.2)], { minRelativeScore: 0 })).toHaveLength(2);
    expect(await choosePassages(chunks, { maxPassages: 2 })).toHaveLength(2);
  });

  it('are limited in number before they are merged', async () => {
    const text = lines(200);
    const entries = chunk(text, 1, among(200, 50, 57, 64, 71));
    expect(await shown([entries], { maxPassages: 2 })).toEqual([[47, 60]]);
    expect(await shown([entries], { maxPassages: 3 })).toEqual([[47, 67]]);
  });

  it('load only the chunks that they show', async () => {
    const of = (index: number) =>
      chunk(lines(9), 5, [1], { path: `vault/${index}.md`, score: 1 - index / 10 });
    const { passages, loaded } = await select([of(1), of(2), of(3), of(4)], { maxPassages: 2 });
    expect([passages.length, loaded]).toEqual([2, 2]);
  });

  it('start at the beginning of a chunk that matches only in its headings', async () => {
    expect(await shown([chunk(lines(200), 1, among(200))])).toEqual([[1, 4]]);
  });
});
