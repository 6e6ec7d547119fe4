import type { EvaluationRow, Spent } from './evaluation-run.ts';
import { sumSpent } from './spent.ts';

/** A mean between 0 and 1, and the interval in which 95 of 100 such means lie. */
export type Estimate = { mean: number; low: number; high: number };

export type Summary = {
  scenarios: number;
  strict: Estimate;
  /** The share of strict passes in each run, in order. */
  strictByRun: number[];
  score: Estimate;
  stepsPerWork: number;
  /** Of updates; without the questions about the end state. */
  spent: Spent;
  works: number;
  /** Of everything; null without prices, or when nothing passed. */
  costPerPass: number | null;
  seconds: number;
  /** How many rows failed in each dimension, most first. */
  failed: [string, number][];
};

export function summarise(rows: readonly EvaluationRow[]): Summary {
  const scenarios = new Set(rows.map(({ id }) => id)).size;
  const runs = [...new Set(rows.map(({ run }) => run))];
  const spent = sumSpent(rows.map((row) => row.spent));
  const whole = sumSpent(
    rows.flatMap((row) => [row.spent, ...(row.spentAsking === null ? [] : [row.spentAsking])]),
  );
  const works = rows.reduce((sum, row) => sum + row.works, 0);
  const passes = rows.filter(({ strict }) => strict).length;
  const strictOf = (each: readonly EvaluationRow[]): number => mean(each.map(({ strict }) => Number(strict)));
  return {
    scenarios,
    strict: wilson(strictOf(rows), scenarios),
    strictByRun: runs.map((run) => strictOf(rows.filter((row) => row.run === run))),
    score: wilson(mean(rows.map(({ score }) => score)), scenarios),
    stepsPerWork: works === 0 ? 0 : spent.steps / works,
    spent,
    works,
    costPerPass: whole.cost === null || passes === 0 ? null : whole.cost / passes,
    seconds: rows.reduce((sum, row) => sum + row.seconds, 0),
    failed: countFailed(rows),
  };
}

/**
 * Wilson's interval at 95 %. Doing a scenario again says more about it but adds no scenario, so `count` is that of
 * scenarios, whatever the number of runs. For a mean of scores it is wider than need be: they vary less than passes.
 */
export function wilson(share: number, count: number): Estimate {
  if (count === 0) return { mean: 0, low: 0, high: 1 };
  const square = 1.96 ** 2;
  const middle = (share + square / (2 * count)) / (1 + square / count);
  const half =
    (1.96 / (1 + square / count)) * Math.sqrt((share * (1 - share)) / count + square / (4 * count ** 2));
  return { mean: share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function countFailed(rows: readonly EvaluationRow[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const name of rows.flatMap(({ failed }) => failed)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}
