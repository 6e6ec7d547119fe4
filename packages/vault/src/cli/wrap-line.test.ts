import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from './display-width.ts';
import { wrapLine, wrapText } from './wrap-line.ts';
import type { Line } from './wrap-line.ts';

const rowsOf = (line: Line, width: number): string[] =>
  wrapLine(line, width).map((row) => row.map(({ text }) => text).join(''));

describe('a wrapped line', () => {
  it('breaks between words, and continues at its hanging indentation', () => {
    const parts = [{ text: 'one two three four' }];
    expect(rowsOf({ parts, indent: 2, hanging: 4 }, 12)).toEqual(['  one two', '    three', '    four']);
  });

  it('does not break a word of which a part is marked, nor at a space that forbids it', () => {
    const parts = [
      { text: 'it costs (12\u00a0500\u202f€ per ' },
      { text: 'boil', style: 'match' as const },
      { text: 'er)' },
    ];
    expect(rowsOf({ parts }, 15)).toEqual(['it costs', '(12\u00a0500\u202f€ per', 'boiler)']);
  });

  it('counts wide characters twice and marks not at all, and breaks between wide characters', () => {
    expect(['日本', 'e\u0301', '한국어', '👍', 'é'].map(displayWidth)).toEqual([4, 1, 6, 2, 1]);
    expect(rowsOf({ parts: [{ text: '設定を変更する' }] }, 6)).toEqual(['設定を', '変更す', 'る']);
  });

  it('keeps a longer word whole', () => {
    const path = 'vault/projects/startup-x/changelog.md';
    expect(rowsOf({ parts: [{ text: `see ${path} there` }] }, 20)).toEqual(['see', path, 'there']);
  });

  it('never is wider than the terminal unless one word is, and loses nothing but spaces', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('日本語', 'e\u0301te\u0301', '👍', '\u00a0', ' ', '  ', '- ', '12 | '),
    );
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 12 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 4 }),
        (texts, width, hanging) => {
          const rows = rowsOf({ parts: texts.map((text) => ({ text })), hanging }, width);
          const bare = (text: string): string => text.replaceAll(/\s/g, '');
          expect(bare(rows.join(''))).toBe(bare(texts.join('')));
          for (const row of rows)
            if (displayWidth(row) > width) expect(row.trim()).not.toMatch(/[^\S\u00a0\u2007\u202f]/);
        },
      ),
    );
  });
});

it('a wrapped text continues below the text after a line number or bullet', () => {
  expect(wrapText('9  | one two\n- three four\n\n  five six', 10)).toBe(
    '9  | one\n     two\n- three\n  four\n\n  five six',
  );
  expect(wrapText('one two three', 10)).toBe('one two\nthree');
  expect(wrapText('id  a b c d', 8)).toBe('id  a b\n  c d');
});
