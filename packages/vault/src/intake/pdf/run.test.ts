import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { boundingBox, boxOf, median, overlap, mostCommon } from './run.ts';

describe('a box', () => {
  it('of a run is mostly above the baseline', () => {
    expect(boxOf(run('ten', { x: 30, y: 100 }))).toEqual({ left: 30, top: 92, right: 45, bottom: 102 });
  });

  it('can enclose several runs', () => {
    const boxes = [boxOf(run('ten', { y: 100 })), boxOf(run('eleven', { x: 40, y: 120 }))];
    expect(boundingBox(boxes)).toEqual({ left: 0, top: 92, right: 70, bottom: 122 });
  });

  it('overlaps another one when they share a range, not when they only touch', () => {
    expect(overlap([0, 10], [9, 20])).toBe(1);
    expect(overlap([0, 10], [10, 20])).toBe(0);
    expect(overlap([0, 10], [12, 20])).toBe(-2);
  });
});

describe('run statistics', () => {
  it('weight the most common value by letters, not by runs', () => {
    const runs = [run('a', { size: 8 }), run('b', { size: 8 }), run('three', { size: 12 })];
    expect(mostCommon(runs, ({ size }) => size, 0)).toBe(12);
    expect(mostCommon([...runs, run('four', { size: 8 })], ({ size }) => size, 0)).toBe(8);
  });

  it('use the fallback if there are no letters', () => {
    expect(mostCommon([], ({ size }) => size, 11)).toBe(11);
  });

  it('use the greater of two middle values as the median', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([9, 1])).toBe(9);
    expect(median([])).toBe(0);
  });
});
