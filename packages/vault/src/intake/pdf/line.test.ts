import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { hasSpace, splitAtGaps, toLines } from './line.ts';
import type { Run } from './run.ts';

const textsOf = (runs: Run[]): string[] => toLines(runs).map(({ text }) => text);

describe('runs on a line', () => {
  it('overlap vertically by more than half of their height', () => {
    expect(textsOf([run('one'), run('two', { x: 20, y: 104.9 })])).toEqual(['one two']);
    expect(textsOf([run('one'), run('two', { x: 20, y: 105.1 })])).toEqual(['one', 'two']);
  });

  it('overlap by more than half the height of the smaller one, which may be a superscript digit', () => {
    const raised = (y: number): Run[] => [run('metre'), run('2', { x: 25, y, size: 6 })];
    expect(textsOf(raised(93.9))).toEqual(['metre2']);
    expect(textsOf(raised(93.7))).toEqual(['2', 'metre']);
  });

  it('are compared with the largest run of the line, not with the height of all its runs together', () => {
    const [small, large] = [run('2', { y: 94, size: 6 }), run('metre', { x: 3 })];
    expect(textsOf([small, large, run('below', { x: 40, y: 104.9 })])).toEqual(['2metre below']);
    expect(textsOf([small, large, run('below', { x: 40, y: 105.1 })])).toEqual(['2metre', 'below']);
  });

  it('are added only to one of the last three lines, however tall their letters are', () => {
    const tight = ['first', 'second', 'third', 'fourth'].map((text, index) =>
      run(text, { x: 50, y: 100 + index * 6 }),
    );
    const initial = run('T', { y: 125, size: 40 });
    expect(textsOf([...tight.slice(1), initial])).toEqual(['T second', 'third', 'fourth']);
    expect(textsOf([...tight, initial])).toEqual(['first', 'T second', 'third', 'fourth']);
  });

  it('are read from right to left when most letters are right-to-left', () => {
    const [first, second] = [run('אחד', { x: 30, isRtl: true }), run('שתיים', { x: 0, isRtl: true })];
    expect(textsOf([second, first])).toEqual(['אחד שתיים']);
    expect(textsOf([second, run('left to right', { x: 30 })])).toEqual(['שתיים left to right']);
  });
});

describe('a line', () => {
  it('has the size of its words, not of its inline code, which is often smaller', () => {
    const code = run('a_long_name()', { x: 20, size: 9, isMono: true });
    expect(toLines([run('see'), code])[0]).toMatchObject({ size: 10, isMono: false });
    expect(toLines([code])[0]).toMatchObject({ size: 9, isMono: true });
  });

  it('has the baseline of most of its letters, rounded to a tenth of a point', () => {
    const placeOf = (shift: number): number | undefined =>
      toLines([
        run('ab', { y: 100 - shift }),
        run('cd', { x: 10, y: 100 + shift }),
        run('efg', { x: 20, y: 103 }),
      ])[0]?.y;
    expect(placeOf(0.04)).toBe(100);
    expect(placeOf(0.06)).toBe(103);
  });

  it('is bold when all of its runs are', () => {
    const bold = run('bold', { isBold: true });
    expect(toLines([bold, run('too', { x: 25, isBold: true })])[0]?.isBold).toBe(true);
    expect(toLines([bold, run('not', { x: 25 })])[0]?.isBold).toBe(false);
  });
});

describe('a space between two runs', () => {
  it('is a gap wider than 0.16 times the smaller font size', () => {
    expect(hasSpace(run('ab'), run('cd', { x: 11.5 }))).toBe(false);
    expect(hasSpace(run('ab'), run('cd', { x: 11.7 }))).toBe(true);
    expect(hasSpace(run('ab'), run('cd', { x: 10.7, size: 5 }))).toBe(false);
    expect(hasSpace(run('ab'), run('cd', { x: 10.9, size: 5 }))).toBe(true);
  });

  it('is measured on the other side in right-to-left text', () => {
    expect(hasSpace(run('ab', { x: 20 }), run('cd', { x: 8.5 }))).toBe(false);
    expect(hasSpace(run('ab', { x: 20 }), run('cd', { x: 8.3 }))).toBe(true);
  });

  it('is kept even without a gap if the page contains it', () => {
    expect(hasSpace(run('ab'), run('cd', { x: 10, hasLeadingSpace: true }))).toBe(true);
  });

  it('is not added before a comma or full stop, except before a number that starts with one', () => {
    expect(hasSpace(run('ab'), run(', cd', { x: 20 }))).toBe(false);
    expect(hasSpace(run('ab'), run('.5', { x: 20 }))).toBe(true);
  });
});

describe('a gap that splits a line', () => {
  const partsOf = (...runs: Run[]): string[] =>
    toLines(runs)
      .flatMap(splitAtGaps)
      .map(({ text }) => text);

  it('is wider than half the font size', () => {
    expect(partsOf(run('ab'), run('cd', { x: 14.9, width: 6 }))).toEqual(['ab cd']);
    expect(partsOf(run('ab'), run('cd', { x: 15.1, width: 6 }))).toEqual(['ab', 'cd']);
  });

  it('is slightly wider than a letter when letters are wide', () => {
    expect(partsOf(run('ab'), run('cd', { x: 18.3, width: 16 }))).toEqual(['ab cd']);
    expect(partsOf(run('ab'), run('cd', { x: 18.5, width: 16 }))).toEqual(['ab', 'cd']);
  });

  it('starts at the end of the run that extends farthest', () => {
    const [long, inside] = [run('a long run'), run('in', { x: 10 })];
    expect(partsOf(long, inside, run('end', { x: 54 }))).toHaveLength(1);
    expect(partsOf(long, inside, run('end', { x: 56 }))).toHaveLength(2);
  });
});
