import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { boundingBox, boxOf, median, overlap, prevailing } from './run.ts';

describe('where words stand', () => {
  it('is mostly above the line they are written on', () => {
    expect(boxOf(run('ten', { x: 30, y: 100 }))).toEqual({ left: 30, top: 92, right: 45, bottom: 102 });
  });

  it('is one box for many', () => {
    const boxes = [boxOf(run('ten', { y: 100 })), boxOf(run('eleven', { x: 40, y: 120 }))];
    expect(boundingBox(boxes)).toEqual({ left: 0, top: 92, right: 70, bottom: 122 });
  });

  it('is shared where two ranges overlap, and not where they only touch', () => {
    expect(overlap([0, 10], [9, 20])).toBe(1);
    expect(overlap([0, 10], [10, 20])).toBe(0);
    expect(overlap([0, 10], [12, 20])).toBe(-2);
  });
});

describe('what is usual', () => {
  it('is what most letters have, not most runs', () => {
    const runs = [run('a', { size: 8 }), run('b', { size: 8 }), run('three', { size: 12 })];
    expect(prevailing(runs, ({ size }) => size, 0)).toBe(12);
    expect(prevailing([...runs, run('four', { size: 8 })], ({ size }) => size, 0)).toBe(8);
  });

  it('is what it is told to be where there are no letters', () => {
    expect(prevailing([], ({ size }) => size, 11)).toBe(11);
  });

  it('is the greater of two values in the middle', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1])).toBe(9);
    expect(median([])).toBe(0);
  });
});
