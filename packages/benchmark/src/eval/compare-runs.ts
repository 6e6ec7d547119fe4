import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import { runTitle, paragraphs, formatTable } from './format-run.ts';
import { summarizeRun } from './summarize.ts';

/** Compares two runs: lists the ids that scored worse or better in the second run, and the totals of both. */
export function compareRuns(first: EvaluationRun, second: EvaluationRun): string {
  if (first.kind !== second.kind) {
    throw new Error(`runs of different kinds cannot be compared: ${first.kind} and ${second.kind}`);
  }
  const [were, are] = [rowsById(first), rowsById(second)];
  const pairs = [...were].flatMap(([id, rows]) => {
    const after = are.get(id);
    return after === undefined ? [] : [{ id, rows, after, gain: meanScore(after) - meanScore(rows) }];
  });
  const worse = pairs.filter(({ gain }) => gain < -scoreEpsilon).toSorted((a, b) => a.gain - b.gain);
  const better = pairs.filter(({ gain }) => gain > scoreEpsilon).toSorted((a, b) => b.gain - a.gain);
  const change = (
    name: string,
    before: readonly EvaluationRow[],
    after: readonly EvaluationRow[],
  ): string[] => {
    const [from, to] = [formatMetrics(before), formatMetrics(after)];
    return [name, ...from.map((figure, index) => `${figure} → ${to[index]}`)];
  };
  const lines = [
    ['', 'strict', 'score', 'tokens', 'cost', 'time'],
    ...worse.map(({ id, rows, after }) => change(`worse  ${id}`, rows, after)),
    ...better.map(({ id, rows, after }) => change(`better ${id}`, rows, after)),
    change('total', first.rows, second.rows),
  ];
  return paragraphs([runTitle(first), runTitle(second)], formatTable(lines), [
    `same: ${pairs.length - worse.length - better.length}`,
    ...formatMissing('first', were, are),
    ...formatMissing('second', are, were),
  ]);
}

const scoreEpsilon = 1e-9;

type Rows = ReadonlyMap<string, readonly EvaluationRow[]>;

function rowsById({ rows }: EvaluationRun): Rows {
  return Map.groupBy(rows, ({ id }) => id);
}

function meanScore(rows: readonly EvaluationRow[]): number {
  return summarizeRun(rows).score.mean;
}

function formatMissing(which: string, run: Rows, other: Rows): string[] {
  const ids = [...run.keys()].filter((id) => !other.has(id));
  return ids.length === 0 ? [] : [`only in the ${which}: ${ids.join(', ')}`];
}

function formatMetrics(rows: readonly EvaluationRow[]): string[] {
  const { strict, score, spent, seconds } = summarizeRun(rows);
  return [
    strict.mean.toFixed(2),
    score.mean.toFixed(2),
    (spent.fresh + spent.written + spent.output).toLocaleString('en-US'),
    spent.cost === null ? '-' : spent.cost.toFixed(4),
    `${seconds.toFixed(1)} s`,
  ];
}
