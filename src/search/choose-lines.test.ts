import { describe, expect, it } from 'vitest';
import { chooseLines } from './choose-lines.ts';
import { parseQuery } from './query.ts';
import { rankSections } from './rank.ts';

const lines = (count: number, text = 'some words in a line'): string[] =>
  Array.from({ length: count }, () => text);
const result = (fileLines: string[], start: number, lineScores: number[], score = 1) => ({
  fileLines,
  lines: { start, end: start + lineScores.length - 1 },
  lineScores,
  score,
});

describe('choosing lines', () => {
  it('shows a short section whole, with context clipped at the ends of the file', () => {
    const found = result(lines(20), 10, [1, 0.5, 0.2]);
    expect(chooseLines([found], { budget: 2_000, context: 3 })).toEqual([{ start: 7, end: 15 }]);
    expect(chooseLines([result(lines(4), 2, [1, 1])], { budget: 2_000, context: 3 })).toEqual([
      { start: 1, end: 4 },
    ]);
  });

  it('shows of a long one what has to do with the query', () => {
    const scores = Array.from({ length: 200 }, (_, line) => (line >= 100 && line < 105 ? 1 : 0.01));
    const [range] = chooseLines([result(lines(200), 1, scores)], { budget: 100, context: 3 });
    expect(range?.start).toBeLessThanOrEqual(101);
    expect(range?.end).toBeGreaterThanOrEqual(105);
    expect((range?.end ?? 0) - (range?.start ?? 0)).toBeLessThan(20);
  });

  it('gives more to what fits better, and at least a beginning to the rest', () => {
    const [best, worst] = chooseLines(
      [
        result(
          lines(100),
          1,
          lines(100).map(() => 1),
        ),
        result(
          lines(100),
          1,
          lines(100).map(() => 0.1),
          0.2,
        ),
      ],
      { budget: 300, context: 3 },
    );
    expect((best?.end ?? 0) - (best?.start ?? 0)).toBeGreaterThan(30);
    expect(worst).toEqual({ start: 1, end: 1 });
  });

  it('stays near the budget whatever is found', () => {
    const results = Array.from({ length: 10 }, (_, index) =>
      result(
        lines(300, 'x'.repeat(150)),
        1,
        lines(300).map((_text, line) => (line % 7) / (index + 1)),
      ),
    );
    const shown = chooseLines(results, { budget: 2_000, context: 3 });
    const tokens = shown.reduce((sum, { start, end }) => sum + ((end - start + 1) * 157) / 4, 0);
    expect(tokens).toBeLessThan(2_500);
  });
});

describe('ranking', () => {
  const section = (body: string, trail = 'x › note') => ({
    body,
    trail,
    lines: { start: 1, end: body.split('\n').length },
  });
  const everywhere = { sections: 100, frequency: () => 10 };
  const order = (query: string, ...bodies: string[]): number[] =>
    rankSections(
      parseQuery(query),
      bodies.map((body) => section(body)),
      everywhere,
    ).map(({ item }) => bodies.indexOf(item.body));

  it('puts first what has the query as it was typed', () => {
    expect(
      order('status: bloqué', 'bloqué, status unclear, status again', 'prio: x | status: bloqué')[0],
    ).toBe(1);
    expect(order('[décision]', 'decision decision decision', '## [décision] x')[0]).toBe(1);
  });

  it('prefers all of the words to one of them often', () => {
    expect(order('heating boiler', 'boiler boiler boiler boiler', 'the heating has a boiler')[0]).toBe(1);
  });

  it('prefers words that stand together', () => {
    expect(
      order(
        'external api',
        'api for all that is not external but internal to the house',
        'the external api',
      )[0],
    ).toBe(1);
  });

  it('takes accents seriously once they are typed and occur', () => {
    expect(order('bloqué', 'ce qui bloque', 'il est bloqué')).toEqual([1]);
    expect(order('bloque', 'ce qui bloque', 'il est bloqué')).toHaveLength(2);
    expect(order('bloqué', 'ce qui bloque')).toEqual([0]);
  });

  it('tells which lines matter, and their neighbours a little', () => {
    const [ranked] = rankSections(parseQuery('boiler'), [section('a\nb\nthe boiler\nc\nd')], everywhere);
    const scores = ranked?.lineScores ?? [];
    expect(Math.max(...scores)).toBe(scores[2]);
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 1);
  });

  it('gives scores between 0 and 1', () => {
    for (const { score } of rankSections(
      parseQuery('a b'),
      [section('a b'), section('b'), section('zzz')],
      everywhere,
    )) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });
});
