import type { EvaluationRow, Spent } from './evaluation-run.ts';
import type { FilingScore } from './score-filing.ts';
import { sumUsage } from './usage.ts';

/** A mean between 0 and 1 with its 95 % confidence interval. */
export type ConfidenceInterval = { mean: number; low: number; high: number };

export type RunSummary = {
  scenarios: number;
  strict: ConfidenceInterval;
  /** The share of strict passes in each run, in order. */
  strictByRun: number[];
  score: ConfidenceInterval;
  stepsPerWork: number;
  /** Usage of the updates, without the questions about the final state. */
  spent: Spent;
  works: number;
  /** Total cost per strict pass; null without prices, or when nothing passed. */
  costPerPass: number | null;
  seconds: number;
  /** How many rows failed in each dimension, in descending order. */
  failed: [string, number][];
  /** The mean share of each dimension over the rows that have expectations in it. */
  dimensions: [string, number][];
};

export function summarizeRun(rows: readonly EvaluationRow[]): RunSummary {
  const scenarios = new Set(rows.map(({ id }) => id)).size;
  const runs = [...new Set(rows.map(({ run }) => run))];
  const spent = sumUsage(rows.map((row) => row.spent));
  const whole = sumUsage(
    rows.flatMap((row) => [row.spent, ...(row.spentAsking === null ? [] : [row.spentAsking])]),
  );
  const works = rows.reduce((sum, row) => sum + row.works, 0);
  const passes = rows.filter(({ strict }) => strict).length;
  const strictOf = (each: readonly EvaluationRow[]): number => mean(each.map(({ strict }) => Number(strict)));
  return {
    scenarios,
    strict: wilsonInterval(strictOf(rows), scenarios),
    strictByRun: runs.map((run) => strictOf(rows.filter((row) => row.run === run))),
    score: wilsonInterval(mean(rows.map(({ score }) => score)), scenarios),
    stepsPerWork: works === 0 ? 0 : spent.steps / works,
    spent,
    works,
    costPerPass: whole.cost === null || passes === 0 ? null : whole.cost / passes,
    seconds: rows.reduce((sum, row) => sum + row.seconds, 0),
    failed: countFailed(rows),
    dimensions: averageDimensions(rows),
  };
}

/** The fields of an evaluation row that follow from the score. */
export function toScoreFields({ strict, normalised, dimensions }: FilingScore) {
  const failed = Object.entries(dimensions).filter(([, { passed, of }]) => passed < of);
  return {
    strict,
    score: normalised,
    failed: failed.map(([name]) => name),
    dimensions: toDimensionShares(dimensions),
    problems: failed.flatMap(([, { problems }]) => problems),
  };
}

/** The share of the met expectations of each dimension that has any. */
function toDimensionShares(
  dimensions: Readonly<Record<string, { passed: number; of: number }>>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(dimensions).flatMap(([name, { passed, of }]) => (of === 0 ? [] : [[name, passed / of]])),
  );
}

function averageDimensions(rows: readonly EvaluationRow[]): [string, number][] {
  const shares = rows.flatMap(({ dimensions = {} }) => Object.entries(dimensions));
  const groups = Map.groupBy(shares, ([name]) => name);
  return [...groups].map(([name, all]) => [name, mean(all.map(([, share]) => share))]);
}

/**
 * The Wilson score interval at 95 %. Repeating a scenario measures it more precisely but adds no scenario, so `count`
 * is the number of scenarios, regardless of the number of runs. For a mean of scores, the interval is wider than
 * necessary, because scores vary less than passes and failures.
 */
export function wilsonInterval(share: number, count: number): ConfidenceInterval {
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
