import { describe, expect, it } from 'vitest';
import { parseQuery } from './query.ts';
import { createTextMatcher } from './text-matcher.ts';
import type { TextMatch } from './text-matcher.ts';

const match = (query: string, text: string): TextMatch | null =>
  createTextMatcher(parseQuery(query)).match(text);
const lines = (query: string, text: string): number[] | undefined => match(query, text)?.lines;

describe('text matcher', () => {
  it.each([
    ['décision', 'DECISION', 'la décision', 'de\u0301cision', 'Décisions'],
    ['decision', 'DÉCISION'],
    ['oeuvre', 'une œuvre', 'Oeuvres', 'ŒUVRE'],
    ['œuvre', 'une oeuvre'],
    ['strasse', 'die Straße'],
    ['nhat', 'cập nhật'],
    ['heating', 'it was heated'],
    ['possibility', 'possibilities'],
    ['2025-07-14', 'on 14/07/2025'],
    ['boil*', 'the boiler'],
    ['東京', '東京の地図'],
    ['multi-agent', 'an agent of multi'],
  ])('finds %j in any case, with any accents and English endings', (query, ...texts) => {
    for (const text of texts) expect([text, lines(query, text)]).toEqual([text, [0]]);
  });

  it.each([
    ['anna', 'annabel', 'savanna', 'banal'],
    ['"heating system"', 'heated systems', 'the system heating', 'heating the system'],
    ['or', 'oral', 'for'],
    ['boss*', 'BOSTON'],
  ])('does not find %j within other words or other phrases', (query, ...texts) => {
    for (const text of texts) expect([text, lines(query, text)]).toEqual([text, []]);
  });

  it('finds a phrase across punctuation and line ends', () => {
    expect(lines('"external API"', 'a\nthe external\nAPI, the External-api')).toEqual([1, 2]);
  });

  it('names each line with a word once, and the parts that occur', () => {
    expect(match('boiler heating', 'boiler boiler\n\nheating boiler\nroof')).toEqual({
      parts: new Set([0, 1]),
      lines: [0, 2],
    });
    expect(match('boiler heating', 'a boiler')?.parts).toEqual(new Set([0]));
  });

  it('rejects a text with an excluded word', () => {
    expect(match('boiler -draft', 'boiler\nDrafts')).toBeNull();
    expect(match('boiler -"old plan"', 'boiler\nan old plan')).toBeNull();
    expect(lines('boiler -draft -"old plan"', 'boiler\ndraftsman, plan of old')).toEqual([0]);
  });
});
