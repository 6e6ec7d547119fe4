import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import { evaluateRetrieval } from '../packages/benchmark/src/eval/index.ts';
import type { RetrievalComparison } from '../packages/benchmark/src/eval/index.ts';
import { printSkip } from './missing.ts';
import { findRetrievalData } from './retrieval-data.ts';
import { findRealModel } from './local-models/real-model.ts';
import { temporaryFolder } from './temporary-vault.ts';

const minute = 60_000;
const evaluate = (
  data: string,
  more: Partial<Parameters<typeof evaluateRetrieval>[0]> = {},
): Promise<RetrievalComparison> =>
  evaluateRetrieval({
    data,
    mode: 'fast',
    environment: readEnvironment({ HOME: temporaryFolder(), PATH: process.env['PATH'] }),
    onProgress: () => undefined,
    ...more,
  });

describe('retrieval', () => {
  it('answers typical questions about a French and English vault', { timeout: 3 * minute }, async () => {
    const { keepsake: figures } = await evaluate('packages/benchmark/data/own');
    expect(figures.questions).toBeGreaterThanOrEqual(190);
    expect(figures.recallAt5).toBeGreaterThan(0.98);
    expect(figures.recallWithin2000Tokens).toBeGreaterThan(0.975);
  });

  // Thresholds slightly below the results of the whole sets, because these are samples.
  it.for([
    { set: 'piaf', limit: 400, recallAt5: 0.89, within: 0.89 },
    { set: 'locomo', limit: 500, recallAt5: 0.85, within: 0.84 },
    { set: 'lifebench', limit: 200, recallAt5: 0.52, within: 0.46 },
    { set: 'xquad-de-de', limit: 200, recallAt5: 0.95, within: 0.93 },
    { set: 'xquad-de-en', limit: 200, recallAt5: 0.6, within: 0.55 },
    { set: 'beam-100K', limit: 200, recallAt5: 0.38, within: 0.41 },
    { set: 'beam-500K', limit: 150, recallAt5: 0.31, within: 0.36 },
  ])(
    'reaches the expected recall on $set, and more than plain FTS5',
    { timeout: 15 * minute },
    async ({ set, limit, recallAt5, within }, { skip }) => {
      const data = findRetrievalData(set);
      if ('missing' in data) return skip(data.missing);
      const { keepsake: figures, plain } = await evaluate(data.folder, { limit });
      expect(figures.recallAt5).toBeGreaterThan(recallAt5);
      expect(figures.recallAt5).toBeGreaterThan(plain.recallAt5 - 0.005);
      expect(figures.recallAt10).toBeGreaterThan(plain.recallAt10 - 0.005);
      expect(figures.recallWithin2000Tokens).toBeGreaterThan(within);
    },
  );

  it(
    'finds, in deep mode, passages that share no word with the question',
    { timeout: 5 * minute },
    async ({ skip }) => {
      const model = findRealModel();
      if ('missing' in model) return skip(printSkip(model.missing));
      const home = temporaryFolder();
      const environment = {
        ...readEnvironment({ HOME: home, PATH: process.env['PATH'] }),
        configFile: join(home, 'config.yaml'),
        dataHome: join(home, 'data'),
      };
      mkdirSync(environment.dataHome, { recursive: true });
      symlinkSync(model.runtimeFolder, join(environment.dataHome, 'runtime'));
      writeFileSync(
        environment.configFile,
        JSON.stringify({ search: { embedder: { file: model.modelFile } } }),
      );
      const data = 'packages/benchmark/data/paraphrase';
      const [fast, deep] = [
        await evaluate(data, { with: 'packages/benchmark/data/own' }),
        await evaluate(data, { with: 'packages/benchmark/data/own', mode: 'deep', environment }),
      ];
      expect(deep.keepsake.recallAt5).toBeGreaterThan(fast.keepsake.recallAt5 + 0.3);
    },
  );
});
