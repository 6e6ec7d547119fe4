import { describe, expect, it } from 'vitest';
import { letters, line, run } from '../../../../../test/intake/pdf-runs.ts';
import { flow, isBroken, noEdges, roomIn } from './flow.ts';
import { toLines } from './line.ts';
import { division } from './mend-words.ts';
import { plainText } from './write-pieces.ts';

describe('a line break that somebody made', () => {
  // «next» needs four letters, a space and 0.6 of the size: 31 points.
  const [before, after] = [line(letters(20)), line('next words', { y: 112 })];

  it('is where the next word would have had its place', () => {
    expect(isBroken(before, after, { left: 0, right: 130.9 })).toBe(false);
    expect(isBroken(before, after, { left: 0, right: 131.1 })).toBe(true);
  });

  it('is looked for on the left where words run from right to left', () => {
    const rtl = line(letters(20), { x: 200, isRtl: true });
    expect(isBroken(rtl, after, { left: 169.1, right: 300 })).toBe(false);
    expect(isBroken(rtl, after, { left: 168.9, right: 300 })).toBe(true);
  });

  it('is kept in the text', () => {
    expect(plainText(flow([before, after], () => ({ left: 0, right: 130.9 })))).toBe(
      `${letters(20)} next words`,
    );
    expect(plainText(flow([before, after], () => ({ left: 0, right: 131.1 })))).toBe(
      `${letters(20)}\nnext words`,
    );
  });

  it('is between lines of fewer than 42 letters that each begin with a capital or a digit', () => {
    const joined = (first: string, second: string): string =>
      plainText(flow([line(first), line(second, { y: 112 })], () => noEdges)).replaceAll('x', '');
    expect(joined(`A${letters(40)}`, `B${letters(40)}`)).toBe('A\nB');
    expect(joined(`A${letters(41)}`, `B${letters(40)}`)).toBe('A B');
    expect(joined(`A${letters(40)}`, `B${letters(41)}`)).toBe('A B');
    expect(joined('Main Street', '12 Town')).toBe('Main Street\n12 Town');
    expect(joined('Main Street', 'in Town')).toBe('Main Street in Town');
  });
});

describe('words of a line', () => {
  it('have a space between them where the page has one', () => {
    const beside = (x: number): string =>
      plainText(flow(toLines([run('ab'), run('cd', { x }), run('ef', { x: x + 10 })]), () => noEdges));
    expect(beside(11.5)).toBe('abcdef');
    expect(beside(11.7)).toBe('ab cdef');
  });
});

describe('lines that follow each other', () => {
  const joined = (first: string, second: string): string =>
    plainText(flow([line(`and ${first}`), line(second, { y: 112 })], () => noEdges));

  it('are joined inside a word that ends with a hyphen and goes on with a small letter', () => {
    expect(joined('com-', 'merce')).toBe(`and com${division}merce`);
    expect(joined('com-', 'Merce')).toBe('and com-\nMerce');
    expect(joined('12-', 'fold')).toBe('and 12- fold');
    expect(joined('com -', 'merce')).toBe('and com - merce');
  });

  it('have no space between them in Chinese and Japanese', () => {
    expect(joined('漢字', '漢字')).toBe('and 漢字漢字');
    expect(joined('漢字.', '漢字')).toBe('and 漢字. 漢字');
  });
});

describe('a raised number', () => {
  const isRaised = (text: string, place: { size?: number; y?: number }): boolean =>
    flow(toLines([run('a square metre'), run(text, { x: 70, size: 7, y: 96, ...place })]), () => noEdges).at(
      -1,
    )?.isRaised ?? false;

  it('is smaller than 0.8 of its line', () => {
    expect(isRaised('2', { size: 7.9 })).toBe(true);
    expect(isRaised('2', { size: 8.1 })).toBe(false);
  });

  it('does not stand below its line', () => {
    expect(isRaised('2', { y: 100.48 })).toBe(true);
    expect(isRaised('2', { y: 100.52 })).toBe(false);
  });

  it('has four characters at most, and no letters', () => {
    expect(isRaised('(12)', {})).toBe(true);
    expect(isRaised('(123)', {})).toBe(false);
    expect(isRaised('th', {})).toBe(false);
  });
});

describe('the room that is left of a line', () => {
  it('is on its right, or on its left where words run from right to left', () => {
    expect(roomIn(line('ten'), { left: 0, right: 40 })).toBe(25);
    expect(roomIn(line('ten', { x: 30, isRtl: true }), { left: 10, right: 100 })).toBe(20);
  });
});
