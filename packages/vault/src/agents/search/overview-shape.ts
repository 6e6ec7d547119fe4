import type { Answer } from '../../contract/index.ts';
import { isTableRule } from './check-overview.ts';

const maxProseLines = 5;
const maxRows = 15;

const foundPattern = /^[\s*_`>-]*found[\s*_`]*:[\s*_`]*(yes|no|partly)[\s*_`.]*$/i;

/** Splits the text of the model into the overview and its line `Found: no`. Fences are removed: an open one would swallow the source lines. */
export function parseOverview(text: string): { overview: string; found: Answer['found'] | null } {
  const lines = text.split('\n');
  const declared = lines.findLast((line) => foundPattern.test(line));
  const found = foundPattern.exec(declared ?? '')?.[1]?.toLowerCase() as Answer['found'] | undefined;
  const overview = lines
    .filter((line) => !/^\s*(?:```|~~~)/.test(line) && !foundPattern.test(line))
    .join('\n')
    .trim();
  return { overview, found: found ?? null };
}

/** What is wrong with the length of an overview; null if it has 1 to 5 lines, and at most 15 rows in a list or table. */
export function findLengthProblem(overview: string): string | null {
  const lines = overview.split('\n').filter((line) => line.trim() !== '');
  const rows = lines.filter(isRow);
  const tables = lines.filter(isTableRule).length;
  const prose = lines.length - rows.length;
  // The header of a table and the rule below it are not counted.
  const counted = rows.length - 2 * tables;
  if (prose > maxProseLines || counted > maxRows)
    return `The overview has ${prose + counted} lines. Write it in ${overviewLength}.`;
  return null;
}

export const overviewLength =
  '2 to 5 lines (one is enough if it answers the question), or, if the question asks for a list, with a list or table of up to 15 rows';

function isRow(line: string): boolean {
  return /^\s*(?:\||[-*+]\s|\d{1,3}[.)]\s)/.test(line) || isTableRule(line);
}
