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
  const prices = results.map(({ fileLines, lines }) =>
    priceOf(fileLines, {
      start: Math.max(1, lines.start - context),
      end: Math.min(fileLines.length, lines.end + context),
    }),
  );
  const extend = (result: number, to: LineRange, force: boolean): boolean => {
    const price = prices[result] as (range: LineRange | null) => number;
    const cost = price(to) - price(shown[result] ?? null);
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
      const isWider = wider.start < range.start || wider.end > range.end;
      if (!isWider || !extend(result, wider, false)) break;
    }
  }
  return shown.map((range, result) => range ?? (results[result] as Showable).lines);
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

/** What any range of a file's lines costs; the sums are made once. */
function priceOf(
  fileLines: readonly string[],
  { start, end }: LineRange,
): (range: LineRange | null) => number {
  const sums = [0];
  for (let line = start; line <= end; line += 1)
    sums.push((sums.at(-1) ?? 0) + tokensOfLine(fileLines[line - 1] ?? ''));
  return (range) =>
    range === null ? 0 : (sums[range.end - start + 1] ?? 0) - (sums[range.start - start] ?? 0);
}
