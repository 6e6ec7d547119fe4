import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { sampleOf } from '../../../../test/sample-of.ts';
import { diffLines, internLines } from './diff-lines.ts';

type Compared = ReturnType<typeof diffLines>;

function compareTexts(old: readonly string[], fresh: readonly string[]): Compared {
  const [a, b] = internLines(old, fresh) as [Int32Array, Int32Array];
  return diffLines(a, b);
}

/** Applies the edits to the old text; they have to be ordered and disjoint. */
function apply(old: readonly string[], fresh: readonly string[], { edits }: Compared): string[] {
  const made: string[] = [];
  let at = 0;
  for (const edit of edits) {
    expect(edit.old.start).toBeGreaterThanOrEqual(at);
    made.push(...old.slice(at, edit.old.start));
    expect(edit.new.start).toBe(made.length);
    made.push(...fresh.slice(edit.new.start, edit.new.end));
    at = edit.old.end;
  }
  return [...made, ...old.slice(at)];
}

function sizeOf({ edits }: Compared): number {
  return edits.reduce((sum, edit) => sum + edit.old.end - edit.old.start + edit.new.end - edit.new.start, 0);
}

/** The minimal number of removed and added lines, by dynamic programming. */
function fewest(old: readonly string[], fresh: readonly string[]): number {
  let row = Array.from({ length: fresh.length + 1 }, (_, index) => index);
  for (const [index, line] of old.entries()) {
    const next = [index + 1];
    for (const [column, other] of fresh.entries())
      next.push(line === other ? (row[column] ?? 0) : 1 + Math.min(row[column + 1] ?? 0, next[column] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** Lines of a few kinds in a pseudo-random but reproducible order. */
function mixed(length: number, kinds: number, seed: number): string[] {
  let state = seed;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return `line ${(state >> 8) % kinds}`;
  });
}

describe('edits between two texts', () => {
  it('produce the new text with the minimal number of removed and added lines', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (old, fresh) => {
        const compared = compareTexts(old, fresh);
        expect(apply(old, fresh, compared)).toEqual(fresh);
        expect(sizeOf(compared)).toBe(fewest(old, fresh));
        expect(compared.isApproximate).toBe(false);
      }),
      { numRuns: 3_000 },
    );
  });

  it('are placed at the last of several equal lines, so that comparisons are consistent', () => {
    expect(compareTexts(['a', 'x', 'x', 'b'], ['a', 'x', 'x', 'x', 'b']).edits).toEqual([
      { old: { start: 3, end: 3 }, new: { start: 3, end: 4 } },
    ]);
    expect(compareTexts(['', 'e', '', 'e', '', 'end'], ['', 'e', '', 'end']).edits).toEqual([
      { old: { start: 3, end: 5 }, new: { start: 3, end: 3 } },
    ]);
  });

  it('are valid but marked as approximate for long dissimilar texts', () => {
    const [old, fresh] = [mixed(6_000, 40, 1), mixed(6_000, 40, 2)];
    const compared = compareTexts(old, fresh);
    expect(apply(old, fresh, compared)).toEqual(fresh);
    expect(compared.isApproximate).toBe(true);
    // Most of the common lines are still found.
    expect(sizeOf(compared)).toBeLessThan(11_000);
  });

  const pairs: [string, (length: number) => string[][]][] = [
    ['repeated', (length: number) => [mixed(length, 3, 1), mixed(length, 3, 2)]],
    ['lines in another order', (length: number) => [mixed(length, length, 1), mixed(length, length, 2)]],
    [
      'long lines of equal length',
      (length: number) =>
        [1, 2].map((seed) => mixed(length / 40, 1e6, seed).map((line) => line.padStart(20_000))),
    ],
  ];
  it.each(sampleOf(pairs, 3))('take linear time: %s', async (_, make) => {
    const [one, four] = [make(8_000), make(32_000)] as [string[][], string[][]];
    const work = ([old = [], fresh = []]: string[][]) => compareTexts(old, fresh);
    expect(
      await costRatio(
        () => work(four),
        () => work(one),
      ),
    ).toBeLessThan(10);
  });
});
