import { toLines } from './line.ts';
import type { Line } from './line.ts';
import type { PageText } from './read-page.ts';
import type { Run } from './run.ts';

/** A line near the upper or lower edge of a page. */
type EdgeLine = {
  page: number;
  line: Line;
  place: number;
  words: string;
  numbers: number[];
  isOutermost: boolean;
};

/**
 * Headers and footers: lines near the edge that stand at the same place on many pages with the same words, or with the
 * number of the page. Numbers may differ only as page numbers do, for a first line that is merely alike is text.
 */
export function removeFurniture(pages: readonly PageText[]): PageText[] {
  const lines = pages.flatMap(edgeLines);
  const dropped = new Set<Run>();
  for (const each of [...repeated(lines, pages.length), ...numbered(lines, pages.length)]) {
    for (const run of each.line.runs) dropped.add(run);
  }
  return pages.map((page) => ({ ...page, runs: page.runs.filter((run) => !dropped.has(run)) }));
}

function edgeLines(page: PageText): EdgeLine[] {
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

function repeated(lines: readonly EdgeLine[], pages: number): EdgeLine[] {
  const most = pages > 4 ? pages * 0.4 : pages * 0.9;
  return [...Map.groupBy(lines, ({ place, words }) => `${place} ${words}`).values()]
    .filter((group) => group.length > 1 && group.length >= most && countsPages(group))
    .flat();
}

/** Each number is the same on all pages, or grows with them. */
function countsPages(group: readonly EdgeLine[]): boolean {
  return (group[0]?.numbers ?? []).every((_, index) => {
    const numbers = group.map((each) => each.numbers[index] ?? 0);
    const offsets = group.map(({ page }, at) => (numbers[at] ?? 0) - page);
    return new Set(numbers).size === 1 || new Set(offsets).size === 1;
  });
}

/** First and last lines that begin or end with the number of the page, whatever else they say. */
function numbered(lines: readonly EdgeLine[], pages: number): EdgeLine[] {
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

function pageNumbers({ line, numbers }: EdgeLine): number[] {
  return [
    /^\d/.test(line.text) ? numbers.slice(0, 1) : [],
    /\d$/.test(line.text) ? numbers.slice(-1) : [],
  ].flat();
}
