import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import type { Heading } from './chunker.ts';
import { parseQuery } from './query.ts';
import { scoreChunks } from './score-chunks.ts';

describe('scoring', () => {
  const chunk = (body: string, headingPath = 'x › note') => ({
    body,
    headingPath,
    lines: { start: 1, end: body.split('\n').length },
    date: '',
    kind: 'text' as const,
    path: 'vault/other.md' as VaultPath,
    headings: [] as Heading[],
  });
  const everywhere = { chunks: 100, frequency: () => 10, filesNamed: () => 1 };
  const order = (query: string, ...bodies: string[]): number[] =>
    scoreChunks(
      parseQuery(query),
      bodies.map((body) => chunk(body)),
      everywhere,
    ).map(({ item }) => bodies.indexOf(item.body));

  it('ranks a chunk first if it contains the query exactly as typed', () => {
    expect(
      order('status: bloqué', 'bloqué, status unclear, status again', 'prio: x | status: bloqué')[0],
    ).toBe(1);
    expect(order('[décision]', 'decision decision decision', '## [décision] x')[0]).toBe(1);
  });

  it('prefers a chunk with all terms over one that repeats a term', () => {
    expect(order('heating boiler', 'boiler boiler boiler boiler', 'the heating has a boiler')[0]).toBe(1);
  });

  it('prefers adjacent terms', () => {
    expect(
      order(
        'external api',
        'api for all that is not external but internal to the house',
        'the external api',
      )[0],
    ).toBe(1);
  });

  it('finds a word whatever its accents, first with those that were typed', () => {
    expect(order('bloqué', 'ce qui bloque', 'il est bloqué')).toEqual([1, 0]);
    expect(order('bloque', 'ce qui bloque', 'il est bloqué')).toHaveLength(2);
  });

  it('scores matching lines and, lower, adjacent lines', () => {
    const [ranked] = scoreChunks(parseQuery('boiler'), [chunk('a\nb\nthe boiler\nc\nd')], everywhere);
    const scores = ranked?.lineScores ?? [];
    expect(scores.map(({ direct }) => direct > 0)).toEqual([false, false, true, false, false]);
    expect(scores.map(({ withNeighbors }) => withNeighbors > 0)).toEqual([false, true, true, true, false]);
    expect(scores[2]?.withNeighbors).toBeGreaterThan(scores[1]?.withNeighbors ?? 1);
  });

  it('weighs terms in comments less than those in text', () => {
    expect(
      order('décision', '<!-- an entry begins with [décision] -->\nnothing', 'la décision est prise')[0],
    ).toBe(1);
    expect(order('[décision]', '<!-- begins with [décision] -->\nnothing', '## [décision] x')[0]).toBe(1);
  });

  it('prefers an exact word over its inflections, and those over related words', () => {
    expect(order('photograph', 'a photographic memory', 'many photographs', 'one photograph')).toEqual([
      2, 1, 0,
    ]);
  });

  it('ranks a chunk first if the query contains its date in words', () => {
    const [ranked] = scoreChunks(
      parseQuery('what was decided on 16 June 2026?'),
      [
        chunk('decided'),
        { ...chunk('decided'), date: '2026-06-16' },
        { ...chunk('decided'), date: '2025-06-16' },
      ],
      everywhere,
    );
    expect(ranked?.item.date).toBe('2026-06-16');
  });

  it('returns scores between 0 and 1', () => {
    for (const { score } of scoreChunks(
      parseQuery('a b'),
      [chunk('a b'), chunk('b'), chunk('zzz')],
      everywhere,
    )) {
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
    }
  });
});
