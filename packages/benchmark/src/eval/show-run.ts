import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import { summarise } from './summarise.ts';
import type { Estimate, Summary } from './summarise.ts';

/** A line for each scenario, the totals of each set, and below them what went wrong. */
export function showRun(run: EvaluationRun): string {
  const ids = [...Map.groupBy(run.rows, ({ id }) => id)];
  const lines = [
    ['id', 'strict', 'score', 'steps', 'tokens', 'cost', 'time'],
    ...ids.map(([id, rows]) => [id, ...figuresOf(rows)]),
  ];
  const sets = [...Map.groupBy(run.rows, ({ set }) => set)];
  const totals = sets.map(([set, rows]) => [`${set}:`, ...totalsOf(run.kind, summarise(rows))]);
  const problems = run.rows.flatMap(({ id, run: number, problems: each }) =>
    each.map((problem) => `${id}${number > 1 ? ` (run ${number})` : ''}: ${problem}`),
  );
  return paragraphs([nameOf(run)], table(lines), ...totals, problems);
}

function figuresOf(rows: readonly EvaluationRow[]): string[] {
  const { score, spent, seconds } = summarise(rows);
  return [
    `${rows.filter(({ strict }) => strict).length}/${rows.length}`,
    score.mean.toFixed(2),
    String(spent.steps),
    whole(spent.fresh + spent.written + spent.output),
    money(spent.cost),
    `${seconds.toFixed(1)} s`,
  ];
}

function totalsOf(kind: EvaluationRun['kind'], summary: Summary): string[] {
  const { spent, works, failed, strictByRun, costPerPass } = summary;
  const each = kind === 'filing' ? 'update' : 'question';
  const per = (tokens: number): string => whole(works === 0 ? 0 : Math.round(tokens / works));
  return keyed([
    [kind === 'filing' ? 'scenarios' : 'questions', String(summary.scenarios)],
    ['strict pass', estimate(summary.strict)],
    ...(strictByRun.length > 1
      ? [['  in each run', strictByRun.map((share) => share.toFixed(2)).join(', ')] as const]
      : []),
    [kind === 'filing' ? 'normalised score' : 'score', estimate(summary.score)],
    [`steps per ${each}`, summary.stepsPerWork.toFixed(2)],
    [
      `tokens per ${each}`,
      `${per(spent.fresh)} fresh, ${per(spent.cached)} cached, ${per(spent.written)} written to the cache, ${per(spent.output)} output`,
    ],
    [`cost per ${each}`, money(spent.cost === null || works === 0 ? null : spent.cost / works)],
    ['cost per strict pass', money(costPerPass)],
    ...(failed.length === 0
      ? []
      : [['failed in', failed.map(([name, count]) => `${name} ${count}`).join(', ')] as const]),
  ]);
}

function keyed(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([name, value]) => `${name.padEnd(24)}${value}`);
}

/** With the interval in which 95 of 100 such means lie. */
function estimate({ mean, low, high }: Estimate): string {
  return `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

function whole(number: number): string {
  return number.toLocaleString('en-US');
}

function money(cost: number | null): string {
  return cost === null ? '-' : cost.toFixed(4);
}

/** The first column to the left, figures to the right. */
export function table(lines: readonly (readonly string[])[]): string[] {
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

export function paragraphs(...parts: readonly (readonly string[])[]): string {
  return parts.flatMap((part) => (part.length === 0 ? [] : [part.join('\n')])).join('\n\n');
}

export function nameOf({ kind, model, at }: EvaluationRun): string {
  return `${kind} with ${model} at ${at}`;
}
