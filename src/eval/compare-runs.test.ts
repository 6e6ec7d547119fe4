import { describe, expect, it } from 'vitest';
import { compareRuns, evaluationRun, showRun } from './compare-runs.ts';
import type { EvaluationRun } from './compare-runs.ts';

const row = (id: string, score: number, more: Partial<EvaluationRun['rows'][number]> = {}) => ({
  id,
  score,
  tokens: 1_000,
  cost: 0.01,
  seconds: 2,
  problems: [],
  ...more,
});

const first: EvaluationRun = {
  kind: 'filing',
  model: 'small',
  at: '2026-06-19T10:00:00',
  rows: [
    row('en-decision', 1, { tokens: 12_345, cost: 0.0123, seconds: 8.06 }),
    row('fr-correction', 0.5, { problems: ['vault/a.md still says "x"', 'vault/b.md was changed'] }),
    row('fr-doublon', 0.75),
    row('gone', 1),
  ],
};
const second: EvaluationRun = {
  kind: 'filing',
  model: 'large',
  at: '2026-06-20T10:00:00',
  rows: [
    row('en-decision', 0.9, { tokens: 20_000, cost: null, seconds: 4 }),
    row('fr-correction', 1),
    row('fr-doublon', 0.75),
    row('new', 0.35),
  ],
};

describe('a run', () => {
  it('is shown with its rows, totals and problems', () => {
    expect(showRun(first)).toBe(
      `
filing with small at 2026-06-19T10:00:00

id             score  tokens    cost    time
en-decision     100%  12,345  0.0123   8.1 s
fr-correction    50%   1,000  0.0100   2.0 s
fr-doublon       75%   1,000  0.0100   2.0 s
gone            100%   1,000  0.0100   2.0 s
total            81%  15,345  0.0423  14.1 s

fr-correction: vault/a.md still says "x"
fr-correction: vault/b.md was changed
`.trim(),
    );
  });

  it('says where costs are not known, wholly or in part', () => {
    expect(showRun(second)).toBe(
      `
filing with large at 2026-06-20T10:00:00

id             score  tokens     cost    time
en-decision      90%  20,000        -   4.0 s
fr-correction   100%   1,000   0.0100   2.0 s
fr-doublon       75%   1,000   0.0100   2.0 s
new              35%   1,000   0.0100   2.0 s
total            75%  23,000  0.0300+  10.0 s
`.trim(),
    );
  });

  it('may be empty', () => {
    expect(showRun({ ...first, rows: [] })).toBe(
      `
filing with small at 2026-06-19T10:00:00

id     score  tokens  cost   time
total     0%       0     -  0.0 s
`.trim(),
    );
  });

  it('is read from its file', () => {
    expect(evaluationRun.parse(JSON.parse(JSON.stringify(first)))).toEqual(first);
    expect(evaluationRun.safeParse({ ...first, rows: [row('a', 1.5)] }).success).toBe(false);
    expect(evaluationRun.safeParse({ ...first, more: 1 }).success).toBe(false);
  });
});

describe('two runs', () => {
  it('are compared by id, what got worse first', () => {
    expect(compareRuns(first, second)).toBe(
      `
filing with small at 2026-06-19T10:00:00
filing with large at 2026-06-20T10:00:00

                           score           tokens              cost             time
worse  en-decision    100% → 90%  12,345 → 20,000        0.0123 → -    8.1 s → 4.0 s
better fr-correction  50% → 100%    1,000 → 1,000   0.0100 → 0.0100    2.0 s → 2.0 s
total                  81% → 75%  15,345 → 23,000  0.0423 → 0.0300+  14.1 s → 10.0 s

same: 1
only in the first: gone
only in the second: new
`.trim(),
    );
  });

  it('are refused when they are of different kinds', () => {
    expect(() => compareRuns(first, { ...second, kind: 'answers' })).toThrow(
      'a run of filing cannot be compared with a run of answers',
    );
  });
});
