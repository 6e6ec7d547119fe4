import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piece } from '../../../../../test/intake/pdf-runs.ts';
import { hasLeader, withoutLeader } from './leaders.ts';
import { plainText } from './write-pieces.ts';

describe('a line of a table of contents', () => {
  it('is what a pattern says that would take very long for a long line', () => {
    const leader = /\s*(?:\.\s?){4,}[\s\d.,–ivxl-]*$/;
    const part = fc.constantFrom('.', '. ', '.  ', '....', ' ', '\t', '7', ',', 'x', 'Z', '-');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        const kept = text.slice(0, leader.exec(text)?.index ?? text.length);
        expect(hasLeader(text)).toBe(leader.test(text));
        expect(
          withoutLeader([piece(text)])
            .map((each) => each.text)
            .join(''),
        ).toBe(kept);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has four dots or more before its page number', () => {
    expect(hasLeader('Cleaning ... 12')).toBe(false);
    expect(hasLeader('Cleaning .... 12')).toBe(true);
    expect(hasLeader('Cleaning . . . 12')).toBe(false);
    expect(hasLeader('Cleaning . . . . 12')).toBe(true);
  });

  it('has nothing but a page number behind them', () => {
    expect(hasLeader('Preface ....... xiv')).toBe(true);
    expect(hasLeader('Appendix ....... 12–14')).toBe(true);
    expect(hasLeader('Cleaning .......')).toBe(true);
    expect(hasLeader('Name ....... Date')).toBe(false);
  });

  it('loses its dots and its page number, across pieces too', () => {
    expect(plainText(withoutLeader([piece('Cleaning '), piece('.... '), piece('12')]))).toBe('Cleaning');
    expect(plainText(withoutLeader([piece('Cleaning ... '), piece('12')]))).toBe('Cleaning ... 12');
  });
});
