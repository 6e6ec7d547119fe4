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

  describe('that the document does not say elsewhere', () => {
    const divided = (count: number): string =>
      ['aa', 'bb', 'cc', 'dd']
        .slice(0, count)
        .map((first) => line(first, 'xx'))
        .join(' ');

    it('keeps its hyphen where only two words are divided', () => {
      expect(mendWords(divided(2))).toBe('aa-xx bb-xx');
      expect(mendWords(divided(3))).toBe('aaxx bbxx ccxx');
    });

    it('keeps its hyphen where no more than one word in 5000 letters is divided', () => {
      const among = (count: number, length: number): string =>
        mendWords(divided(count).padEnd(length)).trim();
      expect(among(3, 14_999)).toBe('aaxx bbxx ccxx');
      expect(among(3, 15_000)).toBe('aa-xx bb-xx cc-xx');
      expect(among(4, 15_000)).toBe('aaxx bbxx ccxx ddxx');
    });

    it('keeps its hyphen between words of more than three letters that it says', () => {
      const both = (first: string, second: string): string =>
        mendWords(`${divided(3)} ${line(first, second)} ${first} ${second}`).replace(/^(?:\S+ ){3}/, '');
      expect(both('vingt', 'cinq')).toBe('vingt-cinq vingt cinq');
      expect(both('dix', 'huit')).toBe('dixhuit dix huit');
      expect(both('huit', 'dix')).toBe('huitdix huit dix');
    });
  });
});
