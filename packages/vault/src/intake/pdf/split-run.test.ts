import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { sliceRun, splitRunAt } from './split-run.ts';

const cutsAt = (text: string, ...places: number[]): string[] =>
  splitRunAt(run(text), places).map((part) => part.text);

describe('a text run', () => {
  it('is split at the space whose middle is nearest to the position', () => {
    expect(cutsAt('one two three', 27.4)).toEqual(['one', 'two three']);
    expect(cutsAt('one two three', 27.6)).toEqual(['one two', 'three']);
  });

  it('stays whole when the position is less than half the font size away from an end', () => {
    expect(cutsAt('a tenth', 4.9)).toEqual(['a tenth']);
    expect(cutsAt('a tenth', 5.1)).toEqual(['a', 'tenth']);
    expect(cutsAt('tenth a', 29.9)).toEqual(['tenth', 'a']);
    expect(cutsAt('tenth a', 30.1)).toEqual(['tenth a']);
  });

  it('is split once when two positions are nearest to the same space', () => {
    expect(cutsAt('one two', 14, 18)).toEqual(['one', 'two']);
  });

  it('stays whole when it has no space', () => {
    expect(cutsAt('indivisible', 25)).toEqual(['indivisible']);
  });

  it('is split into parts at the original positions of their words', () => {
    expect(splitRunAt(run('one two', { x: 100 }), [118])).toMatchObject([
      { text: 'one', x: 100, width: 15, hasLeadingSpace: false },
      { text: 'two', x: 120, width: 15, hasLeadingSpace: true },
    ]);
  });

  it('keeps the space before a part that starts with a space or follows one', () => {
    expect(sliceRun(run('one two'), 3, 7).hasLeadingSpace).toBe(true);
    expect(sliceRun(run('one two'), 4, 7).hasLeadingSpace).toBe(true);
    expect(sliceRun(run('one two'), 2, 7).hasLeadingSpace).toBe(false);
    expect(sliceRun(run('one two'), 5, 7).hasLeadingSpace).toBe(false);
    expect(sliceRun(run('one two', { hasLeadingSpace: true }), 0, 3).hasLeadingSpace).toBe(true);
  });

  it('gets no space between parts of one word', () => {
    expect(sliceRun(run('(link)'), 1, 5)).toMatchObject({
      text: 'link',
      x: 5,
      width: 20,
      hasLeadingSpace: false,
    });
  });
});
