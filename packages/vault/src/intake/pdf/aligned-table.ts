import { mergeLines, noMargins } from './merge-lines.ts';
import { toLines } from './line.ts';
import type { Line } from './line.ts';
import type { PageTable, Rule } from './ruled-tables.ts';
import { boundingBox, median, overlap } from './run.ts';

type Cell = Line[];

const isNumber = (text: string): boolean =>
  /\d/.test(text) && /^[\d\s.,:/%€$£+()\p{Sc}–-]{1,20}[\p{L}%°]{0,3}$/u.test(text);

/**
 * Reads a table whose cells are aligned but not enclosed by rules; undefined for text in columns. A band is a group of
 * lines side by side.
 */
export function readAlignedTable(
  bands: readonly (readonly Line[])[],
  gaps: readonly [number, number][],
  rules: readonly Rule[],
): PageTable | undefined {
  const starts = gaps.map(([, to]) => to);
  const columnOf = ({ left }: Line): number => starts.filter((start) => left >= start - 1).length;
  const box = boundingBox(bands.flat());
  const seams = rules.filter(
    ({ x1, x2, y1, y2 }) =>
      Math.abs(y1 - y2) < 1 &&
      y1 > box.top &&
      y1 < box.bottom &&
      overlap([Math.min(x1, x2), Math.max(x1, x2)], [box.left, box.right]) > 20,
  );
  const rows = toRows(bands, gaps.length + 1, columnOf, [...new Set(seams.map(({ y1 }) => Math.round(y1)))]);
  if (!isTabular(rows, gaps.length + 1, seams.length > 0)) return undefined;
  return {
    ...box,
    rows: rows.map((row) =>
      row.map((cell) => mergeLines(toLines(cell.flatMap(({ runs }) => runs)), () => noMargins)),
    ),
  };
}

function isTabular(rows: readonly Cell[][], columns: number, isRuled: boolean): boolean {
  const full = rows.filter((row) => row.filter((cell) => cell.length > 0).length >= Math.min(columns, 2));
  if (rows.length < 2 || full.length < rows.length * 0.6 || !isAligned(rows, columns)) return false;
  const texts = (column: number): string[] =>
    rows.map((row) => row[column]?.map(({ text }) => text).join(' ') ?? '').filter((text) => text !== '');
  const lengths = Array.from({ length: columns }, (_, column) =>
    median(texts(column).map(({ length }) => length)),
  );
  if (lengths.every((length) => length > 28)) return false;
  if (columns > 2 || isRuled) return true;
  const right = texts(1);
  const isLabelled = texts(0).filter((text) => text.endsWith(':')).length > rows.length * 0.6;
  return isLabelled || right.filter(isNumber).length > right.length * 0.5;
}

/** Whether the cells of each column start or end at the same position. */
function isAligned(rows: readonly Cell[][], columns: number): boolean {
  return Array.from({ length: columns }, (_, column) =>
    rows.flatMap((row) => row[column]?.slice(0, 1) ?? []),
  ).every((cells) =>
    (['left', 'right'] as const).some((side) => {
      const edge = median(cells.map((cell) => cell[side]));
      return cells.filter((cell) => Math.abs(cell[side] - edge) < 3).length >= cells.length * 0.7;
    }),
  );
}

type Row = { y: number; size: number; cells: Cell[] };

function toRows(
  bands: readonly (readonly Line[])[],
  columns: number,
  columnOf: (part: Line) => number,
  seams: readonly number[],
): Cell[][] {
  const lines = bands.map((parts): Row => {
    const cells: Cell[] = Array.from({ length: columns }, () => []);
    for (const part of parts) cells[columnOf(part)]?.push(part);
    return { y: Math.max(...parts.map(({ y }) => y)), size: parts[0]?.size ?? 10, cells };
  });
  const spacing = median(lines.slice(1).map(({ y, size }, index) => (y - (lines[index]?.y ?? 0)) / size));
  const rows: Row[] = [];
  for (const line of lines) {
    const row = rows.at(-1);
    if (row !== undefined && continues(row, line, spacing, seams)) {
      row.y = line.y;
      line.cells.forEach((cell, column) => row.cells[column]?.push(...cell));
    } else rows.push(line);
  }
  return rows.map(({ cells }) => cells);
}

/** Whether a line continues the cells above it instead of starting a new row. */
function continues(row: Row, line: Row, spacing: number, seams: readonly number[]): boolean {
  const isCut = seams.some((seam) => seam > row.y - row.size * 0.5 && seam < line.y);
  if (seams.length > 1) return !isCut;
  const isTight = line.y - row.y < line.size * 1.4;
  return isTight && !isCut && (spacing > 1.5 || line.cells[0]?.length === 0);
}
