import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare-runs.ts';
import { parseRun } from './evaluation-run.ts';
import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import { formatRun } from './format-run.ts';
import { summarizeRun, wilsonInterval } from './summarize.ts';

const spent = { steps: 3, fresh: 800, cached: 500, written: 100, output: 100, cost: 0.01 };
const row = (id: string, score: number, more: Partial<EvaluationRow> = {}): EvaluationRow => ({
  id,
  set: 'scenarios',
  run: 1,
  strict: score === 1,
  score,
  failed: score === 1 ? [] : ['rightPlace'],
  works: 1,
  repairs: 0,
  spent,
  spentAsking: null,
  seconds: 2,
  problems: [],
  ...more,
});
const first: EvaluationRun = {
  format: 2,
  kind: 'filing',
  model: 'small',
  at: '2026-06-19T10:00:00',
  rows: [
    row('en-decision', 1),
    row('fr-correction', 0.5, { problems: ['vault/a.md still says "x"'] }),
    row('gone', 1),
    row('en-decision', 0.5, { run: 2, problems: ['it is nowhere'] }),
    row('fr-correction', 0.5, { run: 2 }),
    row('gone', 1, { run: 2 }),
    row('en-year', 0, { set: 'sequences', works: 50, spentAsking: spent }),
  ],
};
const second: EvaluationRun = {
  ...first,
  model: 'large',
  rows: [
    row('en-decision', 0.5, { spent: { ...spent, cost: null } }),
    row('fr-correction', 1),
    row('new', 0.35),
  ],
};

describe('a run', () => {
  it('is formatted with its scenarios, the totals of each set, and the failures', () => {
    expect(formatRun(first)).toBe(
      `
filing with small at 2026-06-19T10:00:00

id             strict  score  steps  tokens    cost   time
en-decision       1/2   0.75      6   2,000  0.0200  4.0 s
fr-correction     0/2   0.50      6   2,000  0.0200  4.0 s
gone              2/2   1.00      6   2,000  0.0200  4.0 s
en-year           0/1   0.00      3   1,000  0.0100  2.0 s

scenarios:
scenarios               3
strict pass             0.500 (0.125 to 0.875)
  in each run           0.67, 0.33
normalised score        0.750 (0.256 to 0.963)
steps per update        3.00
tokens per update       800 fresh, 500 cached, 100 written to the cache, 100 output
cost per update         0.0100
cost per strict pass    0.0200
failed in               rightPlace 3

sequences:
scenarios               1
strict pass             0.000 (0.000 to 0.793)
normalised score        0.000 (0.000 to 0.793)
steps per update        0.06
tokens per update       16 fresh, 10 cached, 2 written to the cache, 2 output
cost per update         0.0002
cost per strict pass    -
failed in               rightPlace 1

fr-correction: vault/a.md still says "x"
en-decision (run 2): it is nowhere
`.trim(),
    );
  });

  it('has an unknown cost when one price is unknown', () => {
    expect(summarizeRun(second.rows)).toMatchObject({ costPerPass: null, spent: { cost: null } });
  });

  it('includes the cost of questions in the cost per pass', () => {
    expect(summarizeRun([row('a', 1, { spentAsking: spent })]).costPerPass).toBe(0.02);
  });

  it('is read from its file; an old format is rejected with an explanation', () => {
    expect(parseRun(JSON.parse(JSON.stringify(first)))).toEqual(first);
    expect(parseRun({ ...first, rows: [row('a', 1.5)] })).toEqual({
      problem: 'is not a run saved with --save',
    });
    const old = { kind: 'filing', model: 'm', at: 'then', rows: [{ id: 'a', score: 1, tokens: 3 }] };
    expect(parseRun(old)).toEqual({
      problem: 'was saved by another version of Keepsake with different scoring; run the evaluation again',
    });
  });
});

describe('a confidence interval', () => {
  // Reference values for the Wilson score interval.
  it.each([
    [0, 10, 0, 0.278],
    [0.5, 10, 0.237, 0.763],
    [1, 120, 0.969, 1],
    [0.6, 120, 0.511, 0.683],
  ])('matches the reference values for a share of %d among %d', (share, count, low, high) => {
    const estimate = wilsonInterval(share, count);
    expect(estimate.low).toBeCloseTo(low, 3);
    expect(estimate.high).toBeCloseTo(high, 3);
  });

  it('is not narrowed by repeating the same scenarios', () => {
    const once = first.rows.filter(({ run, set }) => run === 1 && set === 'scenarios');
    const thrice = [1, 2, 3].flatMap((run) => once.map((each) => ({ ...each, run })));
    expect(summarizeRun(thrice).strict).toEqual(summarizeRun(once).strict);
  });
});

describe('two runs', () => {
  it('are compared by id, regressions first', () => {
    expect(compareRuns(first, second)).toBe(
      `
filing with small at 2026-06-19T10:00:00
filing with large at 2026-06-19T10:00:00

                           strict        score         tokens             cost            time
worse  en-decision    0.50 → 0.00  0.75 → 0.50  2,000 → 1,000       0.0200 → -   4.0 s → 2.0 s
better fr-correction  0.00 → 1.00  0.50 → 1.00  2,000 → 1,000  0.0200 → 0.0100   4.0 s → 2.0 s
total                 0.43 → 0.33  0.64 → 0.62  7,000 → 3,000       0.0700 → -  14.0 s → 6.0 s

same: 0
only in the first: gone, en-year
only in the second: new
`.trim(),
    );
  });

  it('must be of the same kind', () => {
    expect(() => compareRuns(first, { ...second, kind: 'answers' })).toThrow(
      'runs of different kinds cannot be compared: filing and answers',
    );
  });
});
