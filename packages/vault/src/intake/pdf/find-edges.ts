import type { Margins } from './merge-lines.ts';
import { splitAtGaps, toLines } from './line.ts';
import type { Line } from './line.ts';
import { boundingBox } from './run.ts';
import type { Box, Run } from './run.ts';

export type FindEdges = (lines: readonly Line[]) => (line: Line) => Margins;

/** Estimates the margins of a line from the lines aligned with it, preferably those of its own paragraph. */
export function findEdges(runs: readonly Run[]): FindEdges {
  const parts = toLines(runs).flatMap(splitAtGaps);
  return (lines) => (line) => {
    const beside = (side: 'left' | 'right'): Box => {
      const isBeside = (other: Line): boolean =>
        Math.abs(other[side] - line[side]) < line.size * 1.5 && Math.abs(other.size - line.size) < 1;
      const [own, all] = [boundingBox(lines.filter(isBeside)), boundingBox(parts.filter(isBeside))];
      return lines.length > 2 && own.right - own.left > (all.right - all.left) * 0.6 ? own : all;
    };
    return { left: beside('right').left, right: beside('left').right };
  };
}
