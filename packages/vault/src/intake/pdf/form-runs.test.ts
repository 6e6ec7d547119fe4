import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { readFormFields } from './form-runs.ts';
import type { Run } from './run.ts';

const identity = [1, 0, 0, 1, 0, 0];

/** The value of a field that extends from x = 100 to 300, and down from y = 90. */
const fill = (fieldValue: string, labels: Run[] = [], height = 20): Run[] =>
  readFormFields(
    [{ subtype: 'Widget', fieldType: 'Tx', fieldValue, rect: [100, 90, 300, 90 + height] }],
    identity,
    labels,
  );

describe('the value of a form field', () => {
  it('has a font size of 80% of the field height, up to the size of a normal line', () => {
    expect(fill('Ann', [], 10)[0]?.size).toBe(8);
    expect(fill('Ann', [], 14)[0]?.size).toBeCloseTo(11.2);
    expect(fill('Ann', [], 100)[0]?.size).toBeCloseTo(11.2);
  });

  it('is vertically centered in its field when there is no label', () => {
    expect(fill('Ann')[0]?.y).toBeCloseTo(103.36);
  });

  it('has lines 1.2 font sizes apart, centered in its field', () => {
    expect(fill('Ann\nBob', [], 10).map(({ y }) => y)).toEqual([expect.closeTo(92.6), expect.closeTo(102.2)]);
  });

  it('has a width of half its font size per letter, up to the width of its field', () => {
    expect(fill('Ann', [], 10)[0]?.width).toBe(12);
    expect(fill('A'.repeat(50), [], 10)[0]?.width).toBe(200);
    expect(fill('A'.repeat(51), [], 10)[0]?.width).toBe(200);
  });

  it('is on the line of a label that ends at most 60 points to the left of its field', () => {
    const lineOf = (right: number): number | undefined => fill('Ann', [run('Name', { x: right - 20 })])[0]?.y;
    expect(lineOf(39.9)).toBeCloseTo(103.36);
    expect(lineOf(40.1)).toBe(100);
    expect(lineOf(101.9)).toBe(100);
    expect(lineOf(102.1)).toBeCloseTo(103.36);
  });

  it('is on the line of a label that overlaps its field vertically by more than 0.3 font sizes', () => {
    const lineOf = (y: number): number | undefined => fill('Ann', [run('Name', { x: 70, y })])[0]?.y;
    expect(lineOf(91.1)).toBe(91.1);
    expect(lineOf(90.9)).toBeCloseTo(103.36);
  });
});
