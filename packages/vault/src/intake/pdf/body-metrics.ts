import type { Body } from './read-column.ts';
import type { PageText } from './read-page.ts';
import { mostCommon } from './run.ts';
import type { Run } from './run.ts';

/** Clears the monospace style of a document that is monospaced throughout: its text is not code. */
export function clearUniformMonospace(pages: readonly PageText[]): PageText[] {
  const isTyped = mostCommon(
    pages.flatMap(({ runs }) => runs),
    ({ style }) => style.isMono,
    false,
  );
  if (!isTyped) return [...pages];
  const ignore = (run: Run): Run => ({ ...run, style: { ...run.style, isMono: false } });
  return pages.map((page) => ({ ...page, runs: page.runs.map(ignore) }));
}

/** Measures the most common font size, and the line spacing of paragraphs as a multiple of the font size. */
export function measureBody(pages: readonly PageText[]): Body {
  const runs = pages.flatMap((page) => page.runs);
  const size = mostCommon(runs, (run) => Math.round(run.size * 2) / 2, 11);
  const distances = new Map<number, number>();
  for (const page of pages) {
    const right = Math.max(...page.runs.map((run) => run.x + run.width));
    page.runs.forEach((run, index) => {
      const distance = distanceTo(page.runs[index - 1], run, { size, right });
      if (distance !== undefined) distances.set(distance, (distances.get(distance) ?? 0) + 1);
    });
  }
  const maxCount = Math.max(0, ...distances.values());
  const common = [...distances].flatMap(([distance, count]) => (count * 2 >= maxCount ? [distance] : []));
  return { size, leading: common.length === 0 ? 1.25 : Math.min(...common) };
}

/** The distance between two lines of body text, relative to the font size, if the first one reaches the right edge. */
function distanceTo(
  before: Run | undefined,
  run: Run,
  { size, right }: { size: number; right: number },
): number | undefined {
  if (before === undefined || Math.abs(run.size - size) > 0.6 || Math.abs(before.size - run.size) > 0.6)
    return undefined;
  const ratio = (run.y - before.y) / run.size;
  const isFull = !run.isRtl && before.x + before.width > right - size * 4;
  return isFull && ratio > 0.95 && ratio < 2.6 ? Math.round(ratio * 20) / 20 : undefined;
}
