import { describe, expect, it } from 'vitest';
import { commonBase } from './common-base.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');

describe('the version that two others come from', () => {
  const oldest = text('a');
  const base = text('a', 'b', 'c', 'd');
  const first = text('a', 'b', 'c', 'd', 'mine');
  const mine = text('b', 'c', 'd', 'mine', 'more of mine');
  const theirs = text('a', 'b', 'c', 'theirs');

  it('is the last one before the two went different ways', () => {
    expect(commonBase([mine, first, base, oldest], mine, theirs)).toBe(base);
    expect(commonBase([first, base, oldest], mine, theirs)).toBe(base);
    expect(commonBase([theirs, mine, first, base, oldest], theirs, mine)).toBe(base);
    expect(commonBase([theirs, base, oldest], mine, theirs)).toBe(base);
  });

  it('is that one also where both changed the same line', () => {
    const [one, two] = [text('a', 'b', 'c', 'x'), text('a', 'b', 'c', 'y')];
    expect(commonBase([one, base, oldest], one, two)).toBe(base);
  });

  it('is unknown when history has only the two', () => {
    expect(commonBase([mine, theirs], mine, theirs)).toBeNull();
    expect(commonBase([], mine, theirs)).toBeNull();
  });
});
