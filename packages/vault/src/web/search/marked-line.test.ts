import { describe, expect, it } from 'vitest';
import { marksIn, wordsIn } from './marked-line.tsx';

describe('the words of a query', () => {
  it('are those that are to be there', () => {
    expect(wordsIn('Réunion "with Ana" -boiler #garden be*')).toEqual([
      'reunion',
      'with',
      'ana',
      'garden',
      'be',
    ]);
  });

  it('are marked wherever they stand, the longest first, without case and accents', () => {
    const hits = (line: string, query: string) =>
      marksIn(line, wordsIn(query))
        .filter(({ isHit }) => isHit)
        .map(({ text }) => text);
    expect(hits('La réunion: Reunions, REUNION', 'reunion')).toEqual(['réunion', 'Reunion', 'REUNION']);
    expect(hits('boiler and boil', 'boil boiler')).toEqual(['boiler', 'boil']);
    const parts = marksIn('a boiler', ['boiler']);
    expect(parts.map(({ text }) => text).join('')).toBe('a boiler');
    expect(marksIn('', ['x'])).toEqual([]);
  });
});
