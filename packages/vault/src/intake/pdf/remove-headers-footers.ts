import { toLines } from './line.ts';
import type { Line } from './line.ts';
import type { PageText } from './read-page.ts';
import type { Run } from './run.ts';

/** A line near the top or bottom edge of a page. */
type MarginLine = {
  page: number;
  line: Line;
  place: number;
  words: string;
  numbers: number[];
  isOutermost: boolean;
};

/**
 * Removes headers and footers: lines near the edge that are at the same position on many pages with the same words, or
 * with the page number. Numbers may differ between pages only as page numbers do, because first lines that are merely
 * similar belong to the text.
 */
export function removeHeadersFooters(pages: readonly PageText[]): PageText[] {
  const lines = pages.flatMap(edgeLines);
  const dropped = new Set<Run>();
  for (const each of [...findRepeated(lines, pages.length), ...findPageNumbers(lines, pages.length)]) {
    for (const run of each.line.runs) dropped.add(run);
  }
  return pages.map((page) => ({ ...page, runs: page.runs.filter((run) => !dropped.has(run)) }));
}

function edgeLines(page: PageText): MarginLine[] {
  const lines = toLines(page.runs);
  return lines.flatMap((line, index) => {
    const isNear = line.y < page.height * 0.12 || line.y > page.height * 0.88;
    const isOutermost = index === 0 || index === lines.length - 1;
    const words = line.text.replaceAll(/\d+/g, '#');
    const numbers = (line.text.match(/\d+/g) ?? []).map(Number);
    return isNear
      ? [{ page: page.number, line, place: Math.round(line.y / 6), words, numbers, isOutermost }]
      : [];
  });
}

function findRepeated(lines: readonly MarginLine[], pages: number): MarginLine[] {
  const minPages = pages > 4 ? pages * 0.4 : pages * 0.9;
  return [...Map.groupBy(lines, ({ place, words }) => `${place} ${words}`).values()]
    .filter((group) => group.length > 1 && group.length >= minPages && isPageCounter(group))
    .flat();
}

/** Whether each number is the same on all pages or increases with the page number. */
function isPageCounter(group: readonly MarginLine[]): boolean {
  return (group[0]?.numbers ?? []).every((_, index) => {
    const numbers = group.map((each) => each.numbers[index] ?? 0);
    const offsets = group.map(({ page }, at) => (numbers[at] ?? 0) - page);
    return new Set(numbers).size === 1 || new Set(offsets).size === 1;
  });
}

/** Finds first and last lines that start or end with the page number, whatever the rest is. */
function findPageNumbers(lines: readonly MarginLine[], pages: number): MarginLine[] {
  const outer = lines.filter(({ isOutermost }) => isOutermost);
  const offsets = outer.flatMap((each) => pageNumbers(each).map((number) => number - each.page));
  const counts = Map.groupBy(offsets, (offset) => offset);
  const [offset, all = []] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return outer.filter((each) => {
    const isAlone = /^(?:page|seite|p\.)? ?#(?: ?(?:\/|of|sur|von|de) ?#)?$/i.test(each.words);
    const isCounted = pageNumbers(each).some((number) => number - each.page === offset);
    if (pages > 4 && /^[ivxl]{1,6}$/.test(each.line.text)) return true;
    return isCounted && (all.length >= Math.max(2, pages * 0.5) || (isAlone && all.length === pages));
  });
}

function pageNumbers({ line, numbers }: MarginLine): number[] {
  return [
    /^\d/.test(line.text) ? numbers.slice(0, 1) : [],
    /\d$/.test(line.text) ? numbers.slice(-1) : [],
  ].flat();
}
