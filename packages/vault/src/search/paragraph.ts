import { rule } from '../vault/index.ts';
import type { LineRange } from '../vault/index.ts';

/** In each direction; what is longer is cut. */
const mostLines = 250;
export const itemStart = /^\s*(?:[-+*]|\d{1,9}[.)])\s/;
const tableRow = /^\s*\|/;

/** The lines around one with nothing blank between; of a list one item, of a table one row. */
export function paragraphAround(
  line: number,
  { start: first, end: last }: LineRange,
  fileLines: readonly string[],
): LineRange {
  const text = (at: number): string => fileLines[at - 1] ?? '';
  const begins = (at: number): boolean =>
    itemStart.test(text(at)) || tableRow.test(text(at)) || rule.test(text(at));
  let [start, end] = [line, line];
  while (start > Math.max(first, line - mostLines) && !begins(start) && !isBlank(text(start - 1))) start -= 1;
  while (end < Math.min(last, line + mostLines) && !begins(end + 1) && !isBlank(text(end + 1))) end += 1;
  return { start, end };
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
