import type { EvaluationRow, EvaluationRun } from './evaluation-run.ts';
import { summarizeRun } from './summarize.ts';
import type { ConfidenceInterval, RunSummary } from './summarize.ts';

/** Formats a line for each scenario, then the totals of each set, then the failures. */
export function formatRun(run: EvaluationRun): string {
  const ids = [...Map.groupBy(run.rows, ({ id }) => id)];
  const lines = [
    ['id', 'strict', 'score', 'steps', 'tokens', 'cost', 'time'],
    ...ids.map(([id, rows]) => [id, ...figuresOf(rows)]),
  ];
  const sets = [...Map.groupBy(run.rows, ({ set }) => set)];
  const totals = sets.map(([set, rows]) => [`${set}:`, ...totalsOf(run.kind, summarizeRun(rows))]);
  const problems = run.rows.flatMap(({ id, run: number, problems: each }) =>
    each.map((problem) => `${id}${number > 1 ? ` (run ${number})` : ''}: ${problem}`),
  );
  return paragraphs([runTitle(run)], formatTable(lines), ...totals, problems);
}

function figuresOf(rows: readonly EvaluationRow[]): string[] {
  const { score, spent, seconds } = summarizeRun(rows);
  return [
    `${rows.filter(({ strict }) => strict).length}/${rows.length}`,
    score.mean.toFixed(2),
    String(spent.steps),
    formatInteger(spent.fresh + spent.written + spent.output),
    formatCost(spent.cost),
    `${seconds.toFixed(1)} s`,
  ];
}

function totalsOf(kind: EvaluationRun['kind'], summary: RunSummary): string[] {
  const { spent, works, failed, strictByRun, costPerPass } = summary;
  const each = kind === 'filing' ? 'update' : 'question';
  const per = (tokens: number): string => formatInteger(works === 0 ? 0 : Math.round(tokens / works));
  return formatPairs([
    [kind === 'filing' ? 'scenarios' : 'questions', String(summary.scenarios)],
    ['strict pass', formatInterval(summary.strict)],
    ...(strictByRun.length > 1
      ? [['  in each run', strictByRun.map((share) => share.toFixed(2)).join(', ')] as const]
      : []),
    [kind === 'filing' ? 'normalised score' : 'score', formatInterval(summary.score)],
    [`steps per ${each}`, summary.stepsPerWork.toFixed(2)],
    [
      `tokens per ${each}`,
      `${per(spent.fresh)} fresh, ${per(spent.cached)} cached, ${per(spent.written)} written to the cache, ${per(spent.output)} output`,
    ],
    [`cost per ${each}`, formatCost(spent.cost === null || works === 0 ? null : spent.cost / works)],
    ['cost per strict pass', formatCost(costPerPass)],
    ...(failed.length === 0
      ? []
      : [['failed in', failed.map(([name, count]) => `${name} ${count}`).join(', ')] as const]),
  ]);
}

function formatPairs(pairs: readonly (readonly [string, string])[]): string[] {
  return pairs.map(([name, value]) => `${name.padEnd(24)}${value}`);
}

/** Formats a mean with its 95 % confidence interval. */
function formatInterval({ mean, low, high }: ConfidenceInterval): string {
  return `${mean.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
}

function formatInteger(number: number): string {
  return number.toLocaleString('en-US');
}

function formatCost(cost: number | null): string {
  return cost === null ? '-' : cost.toFixed(4);
}

/** Aligns the first column left and the others right. */
export function formatTable(lines: readonly (readonly string[])[]): string[] {
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

export function runTitle({ kind, model, at }: EvaluationRun): string {
  return `${kind} with ${model} at ${at}`;
}
