import { describe, expect, it } from 'vitest';
import { mendWords } from './mend-words.ts';

const line = (first: string, second: string): string => `${first}\u00AD${second}`;

describe('a word that a line ended in the middle of', () => {
  it('keeps its hyphen where the document writes it so elsewhere', () => {
    expect(mendWords(`${line('rendez', 'vous')} et un rendez-vous`)).toBe('rendez-vous et un rendez-vous');
  });

  it('is whole where the document writes it so elsewhere', () => {
    expect(mendWords(`${line('com', 'merce')} de commerce`)).toBe('commerce de commerce');
  });

  it('keeps its hyphen when it has others', () => {
    expect(mendWords(line('rez-de', 'chaussée'))).toBe('rez-de-chaussée');
  });

  it('is whole in a document that divides its words', () => {
    const text = [
      line('déve', 'loppement'),
      line('muni', 'cipalité'),
      line('quar', 'tier'),
      line('trente', 'deux'),
    ].join(' ');
    expect(mendWords(`${text} trente deux`)).toBe(
      'développement municipalité quartier trente-deux trente deux',
    );
  });
});
