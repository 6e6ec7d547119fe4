import { describe, expect, it } from 'vitest';
import { run } from '../../../../../test/intake/pdf-runs.ts';
import { formRuns } from './form-runs.ts';
import type { Run } from './run.ts';

const identity = [1, 0, 0, 1, 0, 0];

/** What is filled into a field from 100 to 300, and from 90 down. */
const fill = (fieldValue: string, labels: Run[] = [], height = 20): Run[] =>
  formRuns(
    [{ subtype: 'Widget', fieldType: 'Tx', fieldValue, rect: [100, 90, 300, 90 + height] }],
    identity,
    labels,
  );

describe('what is filled into a form', () => {
  it('has letters of 0.8 of the field, and not larger ones than a line has', () => {
    expect(fill('Ann', [], 10)[0]?.size).toBe(8);
    expect(fill('Ann', [], 14)[0]?.size).toBeCloseTo(11.2);
    expect(fill('Ann', [], 100)[0]?.size).toBeCloseTo(11.2);
  });

  it('stands in the middle of its field where it has no label', () => {
    expect(fill('Ann')[0]?.y).toBeCloseTo(103.36);
  });

  it('has lines that are 1.2 letters apart, around the middle of its field', () => {
    expect(fill('Ann\nBob', [], 10).map(({ y }) => y)).toEqual([expect.closeTo(92.6), expect.closeTo(102.2)]);
  });

  it('is half as wide as high for each letter, and not wider than its field', () => {
    expect(fill('Ann', [], 10)[0]?.width).toBe(12);
    expect(fill('A'.repeat(50), [], 10)[0]?.width).toBe(200);
    expect(fill('A'.repeat(51), [], 10)[0]?.width).toBe(200);
  });

  it('stands on the line of the label that ends up to 60 points before it', () => {
    const lineOf = (right: number): number | undefined => fill('Ann', [run('Name', { x: right - 20 })])[0]?.y;
    expect(lineOf(39.9)).toBeCloseTo(103.36);
    expect(lineOf(40.1)).toBe(100);
    expect(lineOf(101.9)).toBe(100);
    expect(lineOf(102.1)).toBeCloseTo(103.36);
  });

  it('has a label that overlaps it by more than 0.3 of a letter', () => {
    const lineOf = (y: number): number | undefined => fill('Ann', [run('Name', { x: 70, y })])[0]?.y;
    expect(lineOf(91.1)).toBe(91.1);
    expect(lineOf(90.9)).toBeCloseTo(103.36);
  });
});
