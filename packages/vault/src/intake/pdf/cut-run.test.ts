import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { cutRun, cutRunAt } from './cut-run.ts';

const cutsAt = (text: string, ...places: number[]): string[] =>
  cutRunAt(run(text), places).map((part) => part.text);

describe('a run that is cut', () => {
  it('is cut at the space whose middle is nearest to the place', () => {
    expect(cutsAt('one two three', 27.4)).toEqual(['one', 'two three']);
    expect(cutsAt('one two three', 27.6)).toEqual(['one two', 'three']);
  });

  it('is left whole by a place within half a letter of its size from its ends', () => {
    expect(cutsAt('a tenth', 4.9)).toEqual(['a tenth']);
    expect(cutsAt('a tenth', 5.1)).toEqual(['a', 'tenth']);
    expect(cutsAt('tenth a', 29.9)).toEqual(['tenth', 'a']);
    expect(cutsAt('tenth a', 30.1)).toEqual(['tenth a']);
  });

  it('is cut once where two places are nearest to the same space', () => {
    expect(cutsAt('one two', 14, 18)).toEqual(['one', 'two']);
  });

  it('is left whole where it has no space', () => {
    expect(cutsAt('indivisible', 25)).toEqual(['indivisible']);
  });

  it('has parts that stand where their words stood', () => {
    expect(cutRunAt(run('one two', { x: 100 }), [118])).toMatchObject([
      { text: 'one', x: 100, width: 15, isSpaced: false },
      { text: 'two', x: 120, width: 15, isSpaced: true },
    ]);
  });

  it('has a space before a part that begins with one, or behind one', () => {
    expect(cutRun(run('one two'), 3, 7).isSpaced).toBe(true);
    expect(cutRun(run('one two'), 4, 7).isSpaced).toBe(true);
    expect(cutRun(run('one two'), 2, 7).isSpaced).toBe(false);
    expect(cutRun(run('one two'), 5, 7).isSpaced).toBe(false);
    expect(cutRun(run('one two', { isSpaced: true }), 0, 3).isSpaced).toBe(true);
  });

  it('has no space between parts of one word', () => {
    expect(cutRun(run('(link)'), 1, 5)).toMatchObject({ text: 'link', x: 5, width: 20, isSpaced: false });
  });
});
