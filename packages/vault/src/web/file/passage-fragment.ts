import { normalizeText } from '../palette/normalize-text.ts';

/** Lines of a note, prepared for rendering on their own. */
export type Fragment = {
  /** Properties at the beginning, without stamps. */
  properties: string[];
  /** Markdown. */
  body: string;
  /** The number of lines of the file before `body`; added lines are subtracted. */
  lineOffset: number;
};

const fence = /^\s*(```|~~~)(.*)$/;
const stamp = /^(?:created|updated|tokens):/;

/**
 * Completes lines that begin inside of a table or a code block, and separates frontmatter. The line numbers stay those
 * of the file.
 */
export function prepareFragment(lines: readonly string[], start: number): Fragment {
  const end = start === 1 && lines[0] === '---' ? lines.indexOf('---', 1) : 0;
  const properties = end === 0 ? [] : lines.slice(1, end < 0 ? undefined : end);
  const rest = withoutLeadingRule(end === 0 ? lines : end < 0 ? [] : lines.slice(end + 1));
  const before = start - 1 + lines.length - rest.length;
  const opening = openingLines(rest);
  return {
    properties: properties.filter((line) => line.trim() !== '' && !stamp.test(line)),
    body: [...opening, ...rest].join('\n'),
    lineOffset: before - opening.length,
  };
}

/** Blank lines and a rule at the beginning separate nothing; the rule may be the end of frontmatter. */
function withoutLeadingRule(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '' && line.trim() !== '---');
  return first < 0 ? [] : lines.slice(first);
}

/** The lines that are missing above the first one. */
function openingLines(lines: readonly string[]): string[] {
  const fences = lines.flatMap((line) => fence.exec(line) ?? []).filter((_, index) => index % 3 === 2);
  // An odd number of fences whose first one names no language: that one ends a code block.
  if (fences.length % 2 === 1 && fences[0]?.trim() === '') return ['```'];
  const [first = '', second = ''] = lines.filter((line, index) => line.trim() !== '' || index > 0);
  const isRow = /^\s*\|.*\|\s*$/.test(first);
  if (!isRow || isDelimiter(second)) return [];
  const cells = first.trim().replaceAll('\\|', '').split('|').length - 2;
  const row = (cell: string): string => `|${`${cell}|`.repeat(cells)}`;
  return isDelimiter(first) ? [row(' ')] : [row(' '), row('---')];
}

function isDelimiter(line: string): boolean {
  return line.includes('-') && /^\s*\|[\s|:-]+\|\s*$/.test(line);
}

/** The index of the line with the most of these terms, normalized; the first one if none has any. */
export function findBestLine(lines: readonly string[], terms: readonly string[]): number {
  let best = { index: 0, found: 0 };
  for (const [index, line] of lines.entries()) {
    const text = normalizeText(line);
    const found = terms.filter((term) => text.includes(term)).length;
    if (found > best.found) best = { index, found };
  }
  return best.index;
}

/** The lines from the heading of the best line on; the sections before it are left out. */
export function startAtSection(
  lines: readonly string[],
  start: number,
  best: number,
): { lines: readonly string[]; start: number } {
  const heading = lines.findLastIndex((line, index) => start + index <= best && /^#{1,6} /.test(line));
  return heading <= 0 ? { lines, start } : { lines: lines.slice(heading), start: start + heading };
}
