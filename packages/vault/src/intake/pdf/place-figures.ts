import type { Block } from './block.ts';
import { overlap } from './run.ts';
import type { ExtractedFigure } from './extract-figures.ts';

/** Inserts each figure after the block above it. */
export function placeFigures(
  blocks: readonly Block[],
  figures: readonly ExtractedFigure[],
  page: number,
): Block[] {
  const placed = [...blocks];
  for (const figure of figures.toSorted((a, b) => a.top - b.top)) {
    const middle = (figure.top + figure.bottom) / 2;
    const above = placed.findLastIndex(
      (block) => block.bottom < middle && overlap([block.left, block.right], [figure.left, figure.right]) > 0,
    );
    placed.splice(above + 1, 0, { ...figure, page, kind: 'picture', description: '' });
  }
  return placed;
}
