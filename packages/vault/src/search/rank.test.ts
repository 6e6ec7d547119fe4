import { describe, expect, it } from 'vitest';
import { parseQuery } from './query.ts';
import { rankSections } from './rank.ts';

describe('ranking', () => {
  const section = (body: string, trail = 'x › note') => ({
    body,
    trail,
    lines: { start: 1, end: body.split('\n').length },
    day: '',
    kind: 'text' as const,
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
    expect(scores.map(({ own }) => own > 0)).toEqual([false, false, true, false, false]);
    expect(scores.map(({ near }) => near > 0)).toEqual([false, true, true, true, false]);
    expect(scores[2]?.near).toBeGreaterThan(scores[1]?.near ?? 1);
  });

  it('takes the words of a comment less seriously than those of a note', () => {
    expect(
      order('décision', '<!-- an entry begins with [décision] -->\nnothing', 'la décision est prise')[0],
    ).toBe(1);
    expect(order('[décision]', '<!-- begins with [décision] -->\nnothing', '## [décision] x')[0]).toBe(1);
  });

  it('prefers a word as it was typed to its inflections, and those to its relatives', () => {
    expect(order('photograph', 'a photographic memory', 'many photographs', 'one photograph')).toEqual([
      2, 1, 0,
    ]);
  });

  it('finds the day of a changelog that is named in words', () => {
    const [ranked] = rankSections(
      parseQuery('what was decided on 16 June 2026?'),
      [
        section('decided'),
        { ...section('decided'), day: '2026-06-16' },
        { ...section('decided'), day: '2025-06-16' },
      ],
      everywhere,
    );
    expect(ranked?.item.day).toBe('2026-06-16');
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
