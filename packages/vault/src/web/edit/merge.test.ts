import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareTexts, mergeTexts, resolveRegions } from './merge.ts';

describe('mergeTexts', () => {
  it('merges changes to different lines', () => {
    const regions = mergeTexts('a\nb\nc\nd', 'A\nb\nc\nd', 'a\nb\nc\nD');
    expect(regions.some(({ kind }) => kind === 'conflict')).toBe(false);
    expect(resolveRegions(regions, [])).toBe('A\nb\nc\nD');
  });

  it('keeps both sides of a conflict unless one is chosen', () => {
    const regions = mergeTexts('a\nb\nc', 'a\nmine\nc', 'a\ntheirs\nc');
    expect(resolveRegions(regions, [])).toBe('a\nmine\ntheirs\nc');
    expect(resolveRegions(regions, ['ours'])).toBe('a\nmine\nc');
    expect(resolveRegions(regions, ['theirs'])).toBe('a\ntheirs\nc');
  });

  it('loses no line that either side added', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, fc.nat(8), fc.nat(8), (base, one, other) => {
        const insert = (at: number, line: string): string =>
          base.split('\n').toSpliced(at, 0, line).join('\n');
        const merged = resolveRegions(mergeTexts(base, insert(one, 'MINE'), insert(other, 'THEIRS')), []);
        expect(merged).toContain('MINE');
        expect(merged).toContain('THEIRS');
      }),
    );
  });
});

describe('two versions of a text', () => {
  it('differ in places with the lines of both', () => {
    expect(compareTexts('a\nb\nc\nd', 'a\nB\nc\nd\ne')).toEqual([
      { ours: ['b'], theirs: ['B'] },
      { ours: [], theirs: ['e'] },
    ]);
    expect(compareTexts('a', 'a')).toEqual([]);
  });
});
