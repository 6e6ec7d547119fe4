import { horizontalRulePattern } from '../vault/index.ts';
import type { LineRange } from '../vault/index.ts';

/** Maximum number of lines in each direction. */
const maxParagraphLines = 250;
export const listItemStart = /^\s*(?:[-+*]|\d{1,9}[.)])\s/;
const tableRow = /^\s*\|/;

/** The paragraph around a line, delimited by blank lines; in a list the item, in a table the row. */
export function enclosingParagraph(
  line: number,
  { start: first, end: last }: LineRange,
  fileLines: readonly string[],
): LineRange {
  const text = (at: number): string => fileLines[at - 1] ?? '';
  const begins = (at: number): boolean =>
    listItemStart.test(text(at)) || tableRow.test(text(at)) || horizontalRulePattern.test(text(at));
  let [start, end] = [line, line];
  while (start > Math.max(first, line - maxParagraphLines) && !begins(start) && !isBlank(text(start - 1)))
    start -= 1;
  while (end < Math.min(last, line + maxParagraphLines) && !begins(end + 1) && !isBlank(text(end + 1)))
    end += 1;
  return { start, end };
}

export function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}
