import { describe, expect, it } from 'vitest';
import { letters, line, run } from '../../../../../test/intake/pdf-runs.ts';
import { mergeLines, hasManualBreak, noMargins, remainingWidth } from './merge-lines.ts';
import { toLines } from './line.ts';
import { softHyphen } from './rejoin-hyphenation.ts';
import { plainText } from './format-spans.ts';

describe('a deliberate line break', () => {
  // «next» needs four letters, a space and 0.6 of the size: 31 points.
  const [before, after] = [line(letters(20)), line('next words', { y: 112 })];

  it('is detected when the next word would have fit', () => {
    expect(hasManualBreak(before, after, { left: 0, right: 130.9 })).toBe(false);
    expect(hasManualBreak(before, after, { left: 0, right: 131.1 })).toBe(true);
  });

  it('is detected by the space on the left in right-to-left text', () => {
    const rtl = line(letters(20), { x: 200, isRtl: true });
    expect(hasManualBreak(rtl, after, { left: 169.1, right: 300 })).toBe(false);
    expect(hasManualBreak(rtl, after, { left: 168.9, right: 300 })).toBe(true);
  });

  it('is kept in the text', () => {
    expect(plainText(mergeLines([before, after], () => ({ left: 0, right: 130.9 })))).toBe(
      `${letters(20)} next words`,
    );
    expect(plainText(mergeLines([before, after], () => ({ left: 0, right: 131.1 })))).toBe(
      `${letters(20)}\nnext words`,
    );
  });

  it('is detected between lines of fewer than 42 letters that each start with a capital or a digit', () => {
    const joined = (first: string, second: string): string =>
      plainText(mergeLines([line(first), line(second, { y: 112 })], () => noMargins)).replaceAll('x', '');
    expect(joined(`A${letters(40)}`, `B${letters(40)}`)).toBe('A\nB');
    expect(joined(`A${letters(41)}`, `B${letters(40)}`)).toBe('A B');
    expect(joined(`A${letters(40)}`, `B${letters(41)}`)).toBe('A B');
    expect(joined('Main Street', '12 Town')).toBe('Main Street\n12 Town');
    expect(joined('Main Street', 'in Town')).toBe('Main Street in Town');
  });
});

describe('words of a line', () => {
  it('are separated by a space when there is a gap between them', () => {
    const beside = (x: number): string =>
      plainText(
        mergeLines(toLines([run('ab'), run('cd', { x }), run('ef', { x: x + 10 })]), () => noMargins),
      );
    expect(beside(11.5)).toBe('abcdef');
    expect(beside(11.7)).toBe('ab cdef');
  });
});

describe('consecutive lines', () => {
  const joined = (first: string, second: string): string =>
    plainText(mergeLines([line(`and ${first}`), line(second, { y: 112 })], () => noMargins));

  it('are joined into one word when a lowercase letter follows a hyphen', () => {
    expect(joined('com-', 'merce')).toBe(`and com${softHyphen}merce`);
    expect(joined('com-', 'Merce')).toBe('and com-\nMerce');
    expect(joined('12-', 'fold')).toBe('and 12- fold');
    expect(joined('com -', 'merce')).toBe('and com - merce');
  });

  it('are joined without a space in Chinese and Japanese', () => {
    expect(joined('漢字', '漢字')).toBe('and 漢字漢字');
    expect(joined('漢字.', '漢字')).toBe('and 漢字. 漢字');
  });
});

describe('a superscript number', () => {
  const isRaised = (text: string, place: { size?: number; y?: number }): boolean =>
    mergeLines(
      toLines([run('a square metre'), run(text, { x: 70, size: 7, y: 96, ...place })]),
      () => noMargins,
    ).at(-1)?.isRaised ?? false;

  it('is smaller than 0.8 times the font size of its line', () => {
    expect(isRaised('2', { size: 7.9 })).toBe(true);
    expect(isRaised('2', { size: 8.1 })).toBe(false);
  });

  it('is not below the baseline of its line', () => {
    expect(isRaised('2', { y: 100.48 })).toBe(true);
    expect(isRaised('2', { y: 100.52 })).toBe(false);
  });

  it('has at most four characters and no letters', () => {
    expect(isRaised('(12)', {})).toBe(true);
    expect(isRaised('(123)', {})).toBe(false);
    expect(isRaised('th', {})).toBe(false);
  });
});

describe('the free width of a line', () => {
  it('is measured on its right, or on its left in right-to-left text', () => {
    expect(remainingWidth(line('ten'), { left: 0, right: 40 })).toBe(25);
    expect(remainingWidth(line('ten', { x: 30, isRtl: true }), { left: 10, right: 100 })).toBe(20);
  });
});
