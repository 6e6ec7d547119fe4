import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { locateLines } from './locate-lines.ts';

describe('locateLines', () => {
  it('finds every position at which all known lines match', () => {
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
          const found = locateLines(present, lines, first);
          if (isAt(first)) expect(found).toEqual({ kind: 'same' });
          else if (places.length > 1) expect(found).toEqual({ kind: 'ambiguous', places });
          else
            expect(found).toEqual(
              places.length === 0 ? { kind: 'missing' } : { kind: 'moved', first: places[0] },
            );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('finds lines in linear time among repeated lines', async () => {
    const look = (count: number): (() => unknown) => {
      const present = Array.from({ length: count }, () => 'x');
      const wanted = [...Array.from({ length: count / 4 }, () => 'x'), 'y'];
      return () => locateLines(present, wanted, 1);
    };
    expect(await costRatio(look(16_000), look(4_000))).toBeLessThan(10);
  });
});
