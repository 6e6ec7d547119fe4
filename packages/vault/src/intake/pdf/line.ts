import { boundingBox, boxOf, overlap, prevailing } from './run.ts';
import type { Box, Run } from './run.ts';

/** Runs side by side, in the order in which they are read. */
export type Line = Box & {
  runs: Run[];
  y: number;
  size: number;
  isBold: boolean;
  isMono: boolean;
  isRtl: boolean;
  text: string;
};

function toLine(unordered: readonly Run[]): Line {
  const isRtl = prevailing(unordered, (run) => run.isRtl, false);
  const runs = unordered.toSorted((a, b) => (isRtl ? b.x + b.width - a.x - a.width : a.x - b.x));
  // Words in a font for code are often set a little smaller.
  const words = runs.some(({ style }) => !style.isMono) ? runs.filter(({ style }) => !style.isMono) : runs;
  const size = prevailing(words, (run) => Math.round(run.size * 10) / 10, 0);
  return {
    ...boundingBox(runs.map(boxOf)),
    runs,
    y: prevailing(runs, (run) => Math.round(run.y * 10) / 10, 0),
    size,
    isBold: runs.every(({ style }) => style.isBold),
    isMono: runs.every(({ style }) => style.isMono),
    isRtl,
    text: runs
      .map((run, index) => `${index > 0 && hasSpace(runs[index - 1], run) ? ' ' : ''}${run.text}`)
      .join(''),
  };
}

/** From top to bottom. What stands a little higher or lower, as a raised digit does, belongs to its line. */
export function toLines(runs: readonly Run[]): Line[] {
  const groups: { top: number; bottom: number; runs: Run[] }[] = [];
  for (const run of runs.toSorted((a, b) => a.y - b.y)) {
    const { top, bottom } = boxOf(run);
    const group = groups
      .slice(-3)
      .find(
        (each) =>
          overlap([each.top, each.bottom], [top, bottom]) > Math.min(run.size, each.bottom - each.top) * 0.5,
      );
    if (group === undefined) groups.push({ top, bottom, runs: [run] });
    else {
      group.runs.push(run);
      // A line is as high as its largest letters, not as all of them together.
      if (bottom - top > group.bottom - group.top) Object.assign(group, { top, bottom });
    }
  }
  return groups.map((group) => toLine(group.runs)).toSorted((a, b) => a.y - b.y);
}

/** Whether there is a space between two runs of a line. */
export function hasSpace(before: Run | undefined, after: Run): boolean {
  if (before === undefined || /^[,.](?!\d)/.test(after.text)) return false;
  const gap = Math.max(after.x - before.x - before.width, before.x - after.x - after.width);
  return after.isSpaced || gap > Math.min(before.size, after.size) * 0.16;
}

/** Parts of a line with gaps between them that are wider than a space, from left to right. */
export function splitAtGaps(line: Line): Line[] {
  const parts: Run[][] = [];
  let end = -Infinity;
  for (const run of line.runs.toSorted((a, b) => a.x - b.x)) {
    const letter = run.width / run.text.length;
    if (run.x - end > Math.max(line.size * 0.5, letter * 1.05)) parts.push([]);
    parts.at(-1)?.push(run);
    end = Math.max(end, run.x + run.width);
  }
  return parts.map(toLine);
}
