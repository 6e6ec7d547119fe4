import { describe, expect, it } from 'vitest';
import { highlightTerms, queryTerms } from './highlighted-line.tsx';

describe('query terms', () => {
  it('leave out excluded words and operators', () => {
    expect(queryTerms('Réunion "with Ana" -boiler #garden be*')).toEqual([
      'reunion',
      'with',
      'ana',
      'garden',
      'be',
    ]);
  });

  it('are highlighted everywhere, longest first, ignoring case and accents', () => {
    const hits = (line: string, query: string) =>
      highlightTerms(line, queryTerms(query))
        .filter(({ isHit }) => isHit)
        .map(({ text }) => text);
    expect(hits('La réunion: Reunions, REUNION', 'reunion')).toEqual(['réunion', 'Reunion', 'REUNION']);
    expect(hits('boiler and boil', 'boil boiler')).toEqual(['boiler', 'boil']);
    const parts = highlightTerms('a boiler', ['boiler']);
    expect(parts.map(({ text }) => text).join('')).toBe('a boiler');
    expect(highlightTerms('', ['x'])).toEqual([]);
  });
});
