import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import { nameOf, paragraphs, table } from './show-run.ts';
import { summarise } from './summarise.ts';

/** What got worse and what got better from the first run to the second, by id, and both totals. */
export function compareRuns(first: EvaluationRun, second: EvaluationRun): string {
  if (first.kind !== second.kind) {
    throw new Error(`a run of ${first.kind} cannot be compared with a run of ${second.kind}`);
  }
  const [were, are] = [byId(first), byId(second)];
  const pairs = [...were].flatMap(([id, rows]) => {
    const after = are.get(id);
    return after === undefined ? [] : [{ id, rows, after, gain: scoreOf(after) - scoreOf(rows) }];
  });
  const worse = pairs.filter(({ gain }) => gain < -smallestChange).toSorted((a, b) => a.gain - b.gain);
  const better = pairs.filter(({ gain }) => gain > smallestChange).toSorted((a, b) => b.gain - a.gain);
  const change = (
    name: string,
    before: readonly EvaluationRow[],
    after: readonly EvaluationRow[],
  ): string[] => {
    const [from, to] = [figuresOf(before), figuresOf(after)];
    return [name, ...from.map((figure, index) => `${figure} → ${to[index]}`)];
  };
  const lines = [
    ['', 'strict', 'score', 'tokens', 'cost', 'time'],
    ...worse.map(({ id, rows, after }) => change(`worse  ${id}`, rows, after)),
    ...better.map(({ id, rows, after }) => change(`better ${id}`, rows, after)),
    change('total', first.rows, second.rows),
  ];
  return paragraphs([nameOf(first), nameOf(second)], table(lines), [
    `same: ${pairs.length - worse.length - better.length}`,
    ...onlyIn('first', were, are),
    ...onlyIn('second', are, were),
  ]);
}

const smallestChange = 1e-9;

type Rows = ReadonlyMap<string, readonly EvaluationRow[]>;

function byId({ rows }: EvaluationRun): Rows {
  return Map.groupBy(rows, ({ id }) => id);
}

function scoreOf(rows: readonly EvaluationRow[]): number {
  return summarise(rows).score.mean;
}

function onlyIn(which: string, run: Rows, other: Rows): string[] {
  const ids = [...run.keys()].filter((id) => !other.has(id));
  return ids.length === 0 ? [] : [`only in the ${which}: ${ids.join(', ')}`];
}

function figuresOf(rows: readonly EvaluationRow[]): string[] {
  const { strict, score, spent, seconds } = summarise(rows);
  return [
    strict.mean.toFixed(2),
    score.mean.toFixed(2),
    (spent.fresh + spent.written + spent.output).toLocaleString('en-US'),
    spent.cost === null ? '-' : spent.cost.toFixed(4),
    `${seconds.toFixed(1)} s`,
  ];
}
