import type { Block } from './block.ts';
import { mergeLines, noMargins } from './merge-lines.ts';
import type { InspectedPage } from './inspect-pages.ts';
import { toLines } from './line.ts';
import { readColumn } from './read-column.ts';
import type { Body } from './read-column.ts';
import type { PageText } from './read-page.ts';
import { readTags } from './read-tags.ts';
import { splitIntoRegions } from './regions.ts';
import { boundingBox } from './run.ts';
import type { Run } from './run.ts';

/** Reads the blocks of a page that has text. */
export function readPageBlocks(page: PageText, inspected: InspectedPage | undefined, body: Body): Block[] {
  return [...(readTags(page, body) ?? readByLayout(page, inspected, body)), ...readRotatedText(page)];
}

function readByLayout({ runs, number }: PageText, inspected: InspectedPage | undefined, body: Body): Block[] {
  return splitIntoRegions(
    [...runs, ...attachBullets(runs, inspected?.bullets ?? [])],
    inspected?.rules ?? [],
  ).flatMap((region): Block[] =>
    region.kind === 'table'
      ? [{ ...region.table, kind: 'table', page: number }]
      : readColumn(region.lines, number, body),
  );
}

/** Selects the bullets that are directly before words. */
function attachBullets(runs: readonly Run[], bullets: readonly Run[]): Run[] {
  return bullets.filter((bullet) =>
    runs.some((run) => {
      const gap = run.isRtl ? bullet.x - run.x - run.width : run.x - bullet.x;
      return gap > 0 && gap < run.size * 2 && Math.abs(run.y - bullet.y) < run.size * 0.6;
    }),
  );
}

function readRotatedText({ rotatedRuns, number }: PageText): Block[] {
  return rotatedRuns.map((run) => {
    const lines = toLines([run]);
    return {
      ...boundingBox(lines),
      page: number,
      kind: 'paragraph',
      size: run.size,
      room: Infinity,
      pieces: mergeLines(lines, () => noMargins),
    };
  });
}
