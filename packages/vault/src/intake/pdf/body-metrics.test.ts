import { describe, expect, it } from 'vitest';
import { letters, page, run } from '../../../../../test/intake/pdf-runs.ts';
import { clearUniformMonospace, measureBody } from './body-metrics.ts';
import type { Run } from './run.ts';

const full = letters(40);
const nothingKnown = 1.25;

/** Full lines below each other, with these distances. */
const column = (...distances: number[]): Run[] =>
  [0, ...distances].map((_, index) =>
    run(full, { y: distances.slice(0, index).reduce((sum, distance) => sum + distance, 100) }),
  );

const leadingOf = (runs: Run[]): number => measureBody([page(1, runs)]).leading;

describe('the font size of the body', () => {
  it('is the most common font size, rounded to half a point', () => {
    const sizeOf = (size: number): number =>
      measureBody([page(1, [run('Title', { size: 20 }), run(full, { size })])]).size;
    expect(sizeOf(10.2)).toBe(10);
    expect(sizeOf(10.3)).toBe(10.5);
  });

  it('is 11 for an empty document', () => {
    expect(measureBody([])).toEqual({ size: 11, leading: nothingKnown });
  });
});

describe('the line spacing', () => {
  it('is between 0.95 and 2.6 times the font size', () => {
    expect(leadingOf(column(12))).toBe(1.2);
    expect(leadingOf(column(9.4))).toBe(nothingKnown);
    expect(leadingOf(column(9.6))).toBe(0.95);
    expect(leadingOf(column(25.9))).toBe(2.6);
    expect(leadingOf(column(26.1))).toBe(nothingKnown);
  });

  it('is measured only below lines that leave less than four times the font size free on the right', () => {
    const below = (width: number): Run[] => [run(full, { width }), run(full, { y: 115 })];
    expect(leadingOf(below(161))).toBe(1.5);
    expect(leadingOf(below(159))).toBe(nothingKnown);
  });

  it('is measured only between lines whose font size differs from that of the body by at most 0.6 points', () => {
    const sized = (first: number, second: number): Run[] => [
      run(letters(100), { width: 200 }),
      run(full, { size: first, width: 200, y: 200 }),
      run(full, { size: second, width: 200, y: 200 + second * 1.5 }),
    ];
    expect(leadingOf(sized(10.55, 10.55))).toBe(1.5);
    expect(leadingOf(sized(10.65, 10.65))).toBe(nothingKnown);
    expect(leadingOf(sized(9.45, 10))).toBe(1.5);
    expect(leadingOf(sized(9.35, 10))).toBe(nothingKnown);
  });

  it('is the smallest spacing that is at least half as frequent as the most frequent one', () => {
    expect(leadingOf(column(12, 15, 15))).toBe(1.2);
    expect(leadingOf(column(12, 15, 15, 15))).toBe(1.5);
  });
});

describe('monospaced text', () => {
  const pages = (typed: number, other: number) => [
    page(1, [run(letters(typed), { isMono: true })]),
    page(2, [run(letters(other))]),
  ];

  it('is treated as prose when it makes up more than half of the document', () => {
    expect(clearUniformMonospace(pages(51, 50))[0]?.runs[0]?.style.isMono).toBe(false);
  });

  it('is treated as code when it makes up less than half of the document', () => {
    expect(clearUniformMonospace(pages(50, 51))[0]?.runs[0]?.style.isMono).toBe(true);
  });
});
