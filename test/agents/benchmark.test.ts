import { expect, it } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { evaluateFiling, summarise } from '../../packages/benchmark/src/eval/index.ts';
import type { EvaluationRow, ScenarioSet, Who } from '../../packages/benchmark/src/eval/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';

const patience = 300_000;

/** Through the agents, the queue and the tools as they are, without any model. */
function evaluate(who: Who, some: { set?: ScenarioSet; only?: string }): Promise<EvaluationRow[]> {
  return evaluateFiling({
    data: 'packages/benchmark/data/filing',
    who,
    ...some,
    environment: readEnvironment({ PATH: process.env['PATH'], XDG_CONFIG_HOME: temporaryFolder() }),
    hasPrices: false,
    onProgress: () => undefined,
  });
}

// All of them, and all sequences: node scripts/benchmark.ts
it(
  'every scenario of a sample is passed by its solution',
  async () => {
    const rows = await evaluate('solutions', { set: 'scenarios', only: 'fr-c' });
    expect(rows.length).toBeGreaterThanOrEqual(10);
    const failed = rows.filter(({ strict }) => !strict).map(({ id, problems }) => ({ id, problems }));
    expect(failed).toEqual([]);
  },
  patience,
);

it(
  'a sequence on a vault that grows is passed by its solution',
  async () => {
    const [row, ...others] = await evaluate('solutions', { set: 'sequences', only: 'en-sequence-1' });
    expect(others).toEqual([]);
    expect(row).toMatchObject({ strict: true, score: 1, problems: [] });
    expect(row?.works).toBeGreaterThanOrEqual(50);
  },
  patience,
);

it.each(['nothing', 'prose', 'raw-log'] as const)(
  'what %s files is hardly ever right',
  async (who) => {
    const { scenarios, strict, score } = summarise(await evaluate(who, { set: 'scenarios', only: 'fr-c' }));
    expect(scenarios).toBeGreaterThanOrEqual(10);
    expect(strict.mean).toBeLessThanOrEqual(0.1);
    expect(score.mean).toBeLessThanOrEqual(who === 'nothing' ? 0 : 0.25);
  },
  patience,
);
