import type { Block } from './block.ts';
import { flow, noEdges } from './flow.ts';
import type { InspectedPage } from './inspect-pages.ts';
import { toLines } from './line.ts';
import { readColumn } from './read-column.ts';
import type { Body } from './read-column.ts';
import type { PageText } from './read-page.ts';
import { readTags } from './read-tags.ts';
import { toRegions } from './regions.ts';
import { boundingBox } from './run.ts';
import type { Run } from './run.ts';

/** The blocks of a page with text. */
export function readText(page: PageText, inspected: InspectedPage | undefined, body: Body): Block[] {
  return [...(readTags(page, body) ?? readLayout(page, inspected, body)), ...readStray(page)];
}

function readLayout({ runs, number }: PageText, inspected: InspectedPage | undefined, body: Body): Block[] {
  return toRegions(
    [...runs, ...bulletsBefore(runs, inspected?.bullets ?? [])],
    inspected?.rules ?? [],
  ).flatMap((region): Block[] =>
    region.kind === 'table'
      ? [{ ...region.table, kind: 'table', page: number }]
      : readColumn(region.lines, number, body),
  );
}

/** Dots that stand close before words. */
function bulletsBefore(runs: readonly Run[], bullets: readonly Run[]): Run[] {
  return bullets.filter((bullet) =>
    runs.some((run) => {
      const gap = run.isRtl ? bullet.x - run.x - run.width : run.x - bullet.x;
      return gap > 0 && gap < run.size * 2 && Math.abs(run.y - bullet.y) < run.size * 0.6;
    }),
  );
}

function readStray({ strayRuns, number }: PageText): Block[] {
  return strayRuns.map((run) => {
    const lines = toLines([run]);
    return {
      ...boundingBox(lines),
      page: number,
      kind: 'paragraph',
      size: run.size,
      room: Infinity,
      pieces: flow(lines, () => noEdges),
    };
  });
}
