import { describe, expect, it } from 'vitest';
import { rejoinHyphenation } from './rejoin-hyphenation.ts';

const line = (first: string, second: string): string => `${first}\u00AD${second}`;

describe('a word divided by a line break', () => {
  it('keeps its hyphen when it is hyphenated elsewhere in the document', () => {
    expect(rejoinHyphenation(`${line('rendez', 'vous')} et un rendez-vous`)).toBe(
      'rendez-vous et un rendez-vous',
    );
  });

  it('is rejoined when it occurs undivided elsewhere in the document', () => {
    expect(rejoinHyphenation(`${line('com', 'merce')} de commerce`)).toBe('commerce de commerce');
  });

  it('keeps its hyphen when it contains other hyphens', () => {
    expect(rejoinHyphenation(line('rez-de', 'chaussée'))).toBe('rez-de-chaussée');
  });

  it('is rejoined in a document that divides many words', () => {
    const text = [
      line('déve', 'loppement'),
      line('muni', 'cipalité'),
      line('quar', 'tier'),
      line('trente', 'deux'),
    ].join(' ');
    expect(rejoinHyphenation(`${text} trente deux`)).toBe(
      'développement municipalité quartier trente-deux trente deux',
    );
  });

  describe('that does not occur elsewhere in the document', () => {
    const divided = (count: number): string =>
      ['aa', 'bb', 'cc', 'dd']
        .slice(0, count)
        .map((first) => line(first, 'xx'))
        .join(' ');

    it('keeps its hyphen when the document divides only two words', () => {
      expect(rejoinHyphenation(divided(2))).toBe('aa-xx bb-xx');
      expect(rejoinHyphenation(divided(3))).toBe('aaxx bbxx ccxx');
    });

    it('keeps its hyphen when the document divides at most one word per 5000 letters', () => {
      const among = (count: number, length: number): string =>
        rejoinHyphenation(divided(count).padEnd(length)).trim();
      expect(among(3, 14_999)).toBe('aaxx bbxx ccxx');
      expect(among(3, 15_000)).toBe('aa-xx bb-xx cc-xx');
      expect(among(4, 15_000)).toBe('aaxx bbxx ccxx ddxx');
    });

    it('keeps its hyphen when both parts have more than three letters and occur as words in the document', () => {
      const both = (first: string, second: string): string =>
        rejoinHyphenation(`${divided(3)} ${line(first, second)} ${first} ${second}`).replace(
          /^(?:\S+ ){3}/,
          '',
        );
      expect(both('vingt', 'cinq')).toBe('vingt-cinq vingt cinq');
      expect(both('dix', 'huit')).toBe('dixhuit dix huit');
      expect(both('huit', 'dix')).toBe('huitdix huit dix');
    });
  });
});
