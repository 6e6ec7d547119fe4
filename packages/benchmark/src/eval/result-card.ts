import { arch, cpus, platform } from 'node:os';
import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import type { MemorySystem } from './systems/memory-system.ts';
import { summarizeRun } from './summarize.ts';

export type SystemDescription = Pick<MemorySystem, 'name' | 'version' | 'model' | 'keepsFiles'> & {
  offers: readonly string[];
};

export type CardFacts = {
  benchmark: string;
  system: string;
  /** What the system says of itself. */
  described?: SystemDescription | undefined;
  /** The options that select what is measured, as they are given on the command line. */
  options: Readonly<Record<string, string | number>>;
  /** The SHA-256 over all files of the data. */
  data: { files: number; sha256: string };
  seconds: number;
  cpuSeconds: number;
};

/**
 * Everything that is needed to repeat a run and to compare its figures: versions, options and hashes. It names no host, user or path.
 * All but `measured` is the same if a system without randomness runs again.
 */
export function createResultCard(run: EvaluationRun, facts: CardFacts): Record<string, unknown> {
  const { seconds, cpuSeconds, ...rest } = facts;
  const sets = [...Map.groupBy(run.rows, ({ set }) => set)];
  return {
    format: 1,
    kind: run.kind,
    ...rest,
    results: Object.fromEntries(sets.map(([set, rows]) => [set, resultsOf(rows)])),
    items: run.rows.map(({ id, run: number, strict, score, failed }) => ({
      id,
      run: number,
      strict,
      score: round(score),
      failed,
    })),
    measured: {
      at: run.at.slice(0, 10),
      seconds: Math.round(seconds),
      cpuSeconds: Math.round(cpuSeconds),
      node: process.versions.node,
      platform: `${platform()} ${arch()}`,
      cores: cpus().length,
    },
  };
}

function resultsOf(rows: readonly EvaluationRow[]): Record<string, unknown> {
  const { scenarios, strict, score, dimensions, spent, works } = summarizeRun(rows);
  const shown = rows.flatMap(({ shownTokens }) => shownTokens ?? []);
  return {
    count: scenarios,
    strict: interval(strict),
    score: interval(score),
    dimensions: Object.fromEntries(dimensions.map(([name, share]) => [name, round(share)])),
    works,
    tokens: { input: spent.fresh + spent.cached + spent.written, output: spent.output },
    cost: spent.cost,
    ...(shown.length > 0 && {
      shownTokens: Math.round(shown.reduce((sum, each) => sum + each, 0) / shown.length),
    }),
  };
}

function interval({ mean, low, high }: { mean: number; low: number; high: number }): Record<string, number> {
  return { mean: round(mean), low: round(low), high: round(high) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
