import { z } from 'zod';

const row = z.strictObject({
  id: z.string(),
  score: z.number().min(0).max(1),
  tokens: z.int().min(0),
  /** Null where the price of the model is not known. */
  cost: z.number().min(0).nullable(),
  seconds: z.number().min(0),
  problems: z.array(z.string()),
});

/** One evaluation of one model, as it is kept in a file. */
export const evaluationRun = z.strictObject({
  kind: z.enum(['filing', 'answers']),
  model: z.string(),
  at: z.string(),
  rows: z.array(row),
});

export type EvaluationRun = z.infer<typeof evaluationRun>;
export type EvaluationRow = z.infer<typeof row>;
type Row = EvaluationRow;

/** A table with a line for each row, the totals, and below it what went wrong. */
export function showRun(run: EvaluationRun): string {
  const lines = [
    ['id', 'score', 'tokens', 'cost', 'time'],
    ...run.rows.map((each) => [each.id, ...figuresOf([each])]),
    ['total', ...figuresOf(run.rows)],
  ];
  const problems = run.rows.flatMap(({ id, problems: each }) => each.map((problem) => `${id}: ${problem}`));
  return paragraphs([nameOf(run)], table(lines), problems);
}

/** What got worse and what got better from the first run to the second, by id, and both totals. */
export function compareRuns(first: EvaluationRun, second: EvaluationRun): string {
  if (first.kind !== second.kind) {
    throw new Error(`a run of ${first.kind} cannot be compared with a run of ${second.kind}`);
  }
  const pairs = first.rows.flatMap((before) => {
    const after = second.rows.find(({ id }) => id === before.id);
    return after === undefined ? [] : [{ before, after, gain: after.score - before.score }];
  });
  const worse = pairs.filter(({ gain }) => gain < -smallestChange).toSorted((a, b) => a.gain - b.gain);
  const better = pairs.filter(({ gain }) => gain > smallestChange).toSorted((a, b) => b.gain - a.gain);
  const change = (name: string, before: readonly Row[], after: readonly Row[]): string[] => {
    const [from, to] = [figuresOf(before), figuresOf(after)];
    return [name, ...from.map((figure, index) => `${figure} → ${to[index]}`)];
  };
  const lines = [
    ['', 'score', 'tokens', 'cost', 'time'],
    ...worse.map(({ before, after }) => change(`worse  ${before.id}`, [before], [after])),
    ...better.map(({ before, after }) => change(`better ${before.id}`, [before], [after])),
    change('total', first.rows, second.rows),
  ];
  return paragraphs([nameOf(first), nameOf(second)], table(lines), [
    `same: ${pairs.length - worse.length - better.length}`,
    ...onlyIn('first', first, second),
    ...onlyIn('second', second, first),
  ]);
}

const smallestChange = 1e-9;

function onlyIn(which: string, run: EvaluationRun, other: EvaluationRun): string[] {
  const others = new Set(other.rows.map(({ id }) => id));
  const ids = run.rows.flatMap(({ id }) => (others.has(id) ? [] : [id]));
  return ids.length === 0 ? [] : [`only in the ${which}: ${ids.join(', ')}`];
}

/** Mean score, and the sums of what was spent; a plus says that some costs are not known. */
function figuresOf(rows: readonly Row[]): string[] {
  const sum = (valueOf: (each: Row) => number): number =>
    rows.reduce((total, each) => total + valueOf(each), 0);
  const unknown = rows.filter(({ cost }) => cost === null).length;
  const cost = sum((each) => each.cost ?? 0).toFixed(4) + (unknown > 0 ? '+' : '');
  return [
    `${rows.length === 0 ? 0 : Math.round((sum(({ score }) => score) / rows.length) * 100)}%`,
    sum(({ tokens }) => tokens).toLocaleString('en-US'),
    unknown === rows.length ? '-' : cost,
    `${sum(({ seconds }) => seconds).toFixed(1)} s`,
  ];
}

/** The first column to the left, figures to the right. */
function table(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  );
}

function paragraphs(...parts: readonly (readonly string[])[]): string {
  return parts.flatMap((part) => (part.length === 0 ? [] : [part.join('\n')])).join('\n\n');
}

function nameOf({ kind, model, at }: EvaluationRun): string {
  return `${kind} with ${model} at ${at}`;
}
