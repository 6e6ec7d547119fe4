import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { piece } from '../../../../../test/intake/pdf-runs.ts';
import { hasDotLeader, removeDotLeader } from './leaders.ts';
import { plainText } from './format-spans.ts';

describe('an entry of a table of contents', () => {
  it('is detected exactly when the equivalent regular expression, which is slow on long lines, matches', () => {
    const leader = /\s*(?:\.\s?){4,}[\s\d.,–ivxl-]*$/;
    const part = fc.constantFrom('.', '. ', '.  ', '....', ' ', '\t', '7', ',', 'x', 'Z', '-');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
        const text = parts.join('');
        const rest = text.slice(0, leader.exec(text)?.index ?? text.length);
        expect(hasDotLeader(text)).toBe(leader.test(text));
        expect(
          removeDotLeader([piece(text)])
            .map((each) => each.text)
            .join(''),
        ).toBe(rest);
      }),
      { numRuns: 2_000 },
    );
  });

  it('has at least four dots before its page number', () => {
    expect(hasDotLeader('Cleaning ... 12')).toBe(false);
    expect(hasDotLeader('Cleaning .... 12')).toBe(true);
    expect(hasDotLeader('Cleaning . . . 12')).toBe(false);
    expect(hasDotLeader('Cleaning . . . . 12')).toBe(true);
  });

  it('has nothing but a page number after the dots', () => {
    expect(hasDotLeader('Preface ....... xiv')).toBe(true);
    expect(hasDotLeader('Appendix ....... 12–14')).toBe(true);
    expect(hasDotLeader('Cleaning .......')).toBe(true);
    expect(hasDotLeader('Name ....... Date')).toBe(false);
  });

  it('loses its dots and its page number, also across spans', () => {
    expect(plainText(removeDotLeader([piece('Cleaning '), piece('.... '), piece('12')]))).toBe('Cleaning');
    expect(plainText(removeDotLeader([piece('Cleaning ... '), piece('12')]))).toBe('Cleaning ... 12');
  });
});
