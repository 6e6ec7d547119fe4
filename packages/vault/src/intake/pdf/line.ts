import { boundingBox, boxOf, overlap, mostCommon } from './run.ts';
import type { Box, Run } from './run.ts';

/** A line of text: runs next to each other, in reading order. */
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
  const isRtl = mostCommon(unordered, (run) => run.isRtl, false);
  const runs = unordered.toSorted((a, b) => (isRtl ? b.x + b.width - a.x - a.width : a.x - b.x));
  // Monospaced words are often set slightly smaller.
  const words = runs.some(({ style }) => !style.isMono) ? runs.filter(({ style }) => !style.isMono) : runs;
  const size = mostCommon(words, (run) => Math.round(run.size * 10) / 10, 0);
  return {
    ...boundingBox(runs.map(boxOf)),
    runs,
    y: mostCommon(runs, (run) => Math.round(run.y * 10) / 10, 0),
    size,
    isBold: runs.every(({ style }) => style.isBold),
    isMono: runs.every(({ style }) => style.isMono),
    isRtl,
    text: runs
      .map((run, index) => `${index > 0 && hasSpace(runs[index - 1], run) ? ' ' : ''}${run.text}`)
      .join(''),
  };
}

/**
 * Groups runs into lines from top to bottom. A run slightly above or below a line, such as a superscript, belongs to
 * that line.
 */
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
      // The height of a line is that of its tallest run, not of all runs together.
      if (bottom - top > group.bottom - group.top) Object.assign(group, { top, bottom });
    }
  }
  return groups.map((group) => toLine(group.runs)).toSorted((a, b) => a.y - b.y);
}

/** Whether there is a space between two runs of a line. */
export function hasSpace(before: Run | undefined, after: Run): boolean {
  if (before === undefined || /^[,.](?!\d)/.test(after.text)) return false;
  const gap = Math.max(after.x - before.x - before.width, before.x - after.x - after.width);
  return after.hasLeadingSpace || gap > Math.min(before.size, after.size) * 0.16;
}

/** Splits a line at gaps that are wider than a space; parts from left to right. */
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
