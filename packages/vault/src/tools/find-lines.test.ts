import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { findLines } from './find-lines.ts';

describe('lines that moved', () => {
  it('are found wherever each of those that are known stands in its place', () => {
    const line = fc.constantFrom('a', 'b', '');
    const wanted = fc.array(fc.option(line, { nil: undefined }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 12 }),
        wanted,
        fc.integer({ min: 1, max: 12 }),
        (present, lines, first) => {
          const isAt = (start: number): boolean =>
            lines.every((each, index) => each === undefined || present[start - 1 + index] === each);
          const places = present.flatMap((_, index) => (isAt(index + 1) ? [index + 1] : []));
          const found = findLines(present, lines, first);
          if (isAt(first)) expect(found).toEqual({ kind: 'same' });
          else if (places.length > 1) expect(found).toEqual({ kind: 'several', places });
          else
            expect(found).toEqual(
              places.length === 0 ? { kind: 'gone' } : { kind: 'moved', first: places[0] },
            );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('take four times as long to look for among four times as many that repeat', async () => {
    const look = (count: number): (() => unknown) => {
      const present = Array.from({ length: count }, () => 'x');
      const wanted = [...Array.from({ length: count / 4 }, () => 'x'), 'y'];
      return () => findLines(present, wanted, 1);
    };
    expect(await costRatio(look(16_000), look(4_000))).toBeLessThan(10);
  });
});
