import { describe, expect, it } from 'vitest';
import { en } from '../text/en.ts';
import { fr } from '../text/fr.ts';
import { formatDegraded, formatStages } from './format-stages.ts';

describe('the stages of a search', () => {
  it('are named in the language of the reader', () => {
    expect(formatStages({ stages: ['lexical'] }, en.palette)).toBe('Keyword search');
    expect(formatStages({ stages: ['lexical', 'vector'] }, en.palette)).toBe('Search: keywords, meaning');
    expect(formatStages({ stages: ['lexical'] }, fr.palette)).toBe('Recherche par mots-clés');
  });

  it('say how to set up search by meaning if it is missing', () => {
    const degraded = ['keyword matches only: no embedding model is chosen'];
    expect(formatDegraded({ stages: ['lexical'], degraded }, fr.palette)).toEqual([fr.palette.keywordsOnly]);
    expect(formatDegraded({ stages: ['lexical', 'vector'], degraded: ['slow'] }, fr.palette)).toEqual([
      'slow',
    ]);
    expect(formatDegraded({ stages: ['lexical'], degraded: [] }, fr.palette)).toEqual([]);
  });
});
