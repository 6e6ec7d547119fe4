import type { LineRange } from '../vault/index.ts';
import { tokensOfLine } from './rank.ts';

/** A result for which lines are to be chosen: its section, how well it fits, and its whole file. */
export type Showable = {
  lines: LineRange;
  score: number;
  /** One per line of the section. */
  lineScores: readonly number[];
  fileLines: readonly string[];
};

/** What all results together may show, in tokens: an agent pays for each of them. */
export const shownBudget = 2_000;

/**
 * Shares the budget out among the results, line by line: first goes what has most to do with the query, in sections
 * that fit well, then what stands between such lines, so that each result shows one range. What remains is spent on
 * context, from the best result down. A result that gets nothing still shows where it begins.
 */
export function chooseLines(
  results: readonly Showable[],
  { budget, context }: { budget: number; context: number },
): LineRange[] {
  const top = results[0]?.score || 1;
  const units = results.flatMap(({ score, lineScores, fileLines, lines }, result) =>
    lineScores.map((lineScore, index) => ({
      result,
      line: lines.start + index,
      value: isBlank(fileLines[lines.start + index - 1]) ? -1 : (score / top) * (0.3 + lineScore),
    })),
  );
  const shown: (LineRange | null)[] = results.map(() => null);
  let left = budget;
  const extend = (result: number, to: LineRange, force: boolean): boolean => {
    const { fileLines } = results[result] as Showable;
    const cost = costOf(fileLines, to) - costOf(fileLines, shown[result] ?? null);
    if (cost > left && !force) return false;
    left -= cost;
    shown[result] = to;
    return true;
  };
  for (const { result, line, value } of units.toSorted((a, b) => b.value - a.value)) {
    if (value < 0) break;
    const range = shown[result];
    extend(
      result,
      range
        ? { start: Math.min(range.start, line), end: Math.max(range.end, line) }
        : { start: line, end: line },
      false,
    );
  }
  for (const [result, { lines }] of results.entries())
    if (shown[result] === null) extend(result, { start: lines.start, end: lines.start }, true);
  for (const [result, { fileLines }] of results.entries()) {
    for (let step = 1; step <= context; step += 1) {
      const range = shown[result] as LineRange;
      const wider = {
        start: Math.max(1, range.start - 1),
        end: Math.min(fileLines.length, range.end + 1),
      };
      if (!extend(result, wider, false)) break;
    }
  }
  return shown.map((range, result) => range ?? (results[result] as Showable).lines);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

function costOf(fileLines: readonly string[], range: LineRange | null): number {
  if (range === null) return 0;
  let cost = 0;
  for (let line = range.start; line <= range.end; line += 1) cost += tokensOfLine(fileLines[line - 1] ?? '');
  return cost;
}
