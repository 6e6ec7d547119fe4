import { mergeLines, noMargins } from './merge-lines.ts';
import type { TextSpan } from './merge-lines.ts';
import { toLines } from './line.ts';
import type { TagNode } from './read-page.ts';
import { boundingBox, overlap } from './run.ts';
import type { Box, Run } from './run.ts';

type Cell = { runs: Run[]; box: Box };

/**
 * Reads a tagged table. Tags do not say how many rows and columns a cell spans, so the cells of a short row are matched by position to
 * those above, and a missing first cell is filled from the cell above.
 */
export function readTaggedTable(table: TagNode, runsOf: (cell: TagNode) => Run[]): TextSpan[][][] {
  const rows = rowsOf(table).map((row) =>
    (row.children ?? [])
      .filter(({ role }) => role === 'TD' || role === 'TH')
      .map((cell): Cell => ({ runs: runsOf(cell), box: boundingBox(toLines(runsOf(cell))) })),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  const columns = columnsOf(
    rows.filter((row) => row.length === width),
    width,
  );
  const grid: (Cell | undefined)[][] = [];
  for (const row of rows.filter((each) => each.some(({ runs }) => runs.length > 0))) {
    const placed = place(row, columns);
    const first = placed.findIndex((cell) => cell !== undefined);
    grid.push(placed.map((cell, column) => cell ?? (column < first ? grid.at(-1)?.[column] : undefined)));
  }
  return grid.map((row) =>
    row.map((cell) => (cell === undefined ? [] : mergeLines(toLines(cell.runs), () => noMargins))),
  );
}

function rowsOf(node: TagNode): TagNode[] {
  return (node.children ?? []).flatMap((child) => (child.role === 'TR' ? [child] : rowsOf(child)));
}

function columnsOf(rows: readonly Cell[][], width: number): Box[] {
  return Array.from({ length: width }, (_, column) =>
    boundingBox(rows.flatMap((row) => (row[column] && row[column].runs.length > 0 ? [row[column].box] : []))),
  );
}

function place(row: readonly Cell[], columns: readonly Box[]): (Cell | undefined)[] {
  if (row.length === columns.length) return [...row];
  const placed: (Cell | undefined)[] = columns.map(() => undefined);
  let next = 0;
  row.forEach((cell, index) => {
    const last = columns.length - (row.length - index);
    const under = columns.findIndex(
      ({ left, right }, column) =>
        column >= next && column <= last && overlap([left, right], [cell.box.left, cell.box.right]) > 0,
    );
    const column = under === -1 ? next : under;
    placed[column] = cell;
    next = column + 1;
  });
  return placed;
}
