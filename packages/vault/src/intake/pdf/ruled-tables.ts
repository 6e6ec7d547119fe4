import { splitRunAt } from './split-run.ts';
import { mergeLines } from './merge-lines.ts';
import type { TextSpan } from './merge-lines.ts';
import { toLines } from './line.ts';
import { overlap } from './run.ts';
import type { Box, Run } from './run.ts';

/** A straight line on the page. */
export type Rule = { x1: number; y1: number; x2: number; y2: number };

export type PageTable = Box & { rows: TextSpan[][][] };

const tolerancePt = 3;

const isLevel = ({ y1, y2 }: Rule): boolean => Math.abs(y1 - y2) < 1;
const isUpright = ({ x1, x2 }: Rule): boolean => Math.abs(x1 - x2) < 1;

/** Finds tables with rules around their cells. A cell that spans rows is repeated in each of them. */
export function findRuledTables(
  rules: readonly Rule[],
  runs: readonly Run[],
): { tables: PageTable[]; rest: Run[] } {
  let rest = [...runs];
  // Maps and drawings have more rules than any table.
  if (rules.length > 3000) return { tables: [], rest };
  const tables = connected(rules).flatMap((group) => {
    const grid = toGrid(group);
    if (grid === undefined) return [];
    const inside = rest.filter((run) => placeOf(run, grid) !== undefined);
    const cut = inside.flatMap((run) => splitRunAt(run, ruleCrossings(run, grid)));
    const rows = fill(grid, cut).filter((row) => row.some((cell) => cell.length > 0));
    const filled = rows.flat().filter((cell) => cell.length > 0).length;
    if (filled < rows.flat().length * 0.35 || rows.length < 2) return [];
    const used = new Set(inside);
    rest = rest.filter((run) => !used.has(run));
    const { xs, ys } = grid;
    return [{ left: xs[0] ?? 0, right: xs.at(-1) ?? 0, top: ys[0] ?? 0, bottom: ys.at(-1) ?? 0, rows }];
  });
  return { tables, rest };
}

/** Groups rules that touch each other. */
function connected(rules: readonly Rule[]): Rule[][] {
  const groups: Rule[][] = [];
  for (const rule of rules.filter((each) => isLevel(each) || isUpright(each))) {
    const touched = groups.filter((group) => group.some((each) => touch(each, rule)));
    const merged = [...touched.flat(), rule];
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push(merged);
  }
  return groups;
}

function touch(a: Rule, b: Rule): boolean {
  const [width, height] = [overlap(across(a), across(b)), overlap(down(a), down(b))];
  return width > -tolerancePt && height > -tolerancePt;
}

const across = ({ x1, x2 }: Rule): [number, number] => [Math.min(x1, x2), Math.max(x1, x2)];
const down = ({ y1, y2 }: Rule): [number, number] => [Math.min(y1, y2), Math.max(y1, y2)];

type Grid = { xs: number[]; ys: number[]; levels: Rule[]; uprights: Rule[] };

function toGrid(group: readonly Rule[]): Grid | undefined {
  const [levels, uprights] = [group.filter(isLevel), group.filter(isUpright)];
  if (levels.length < 2 || uprights.length === 0) return undefined;
  const xs = gridPositions([...uprights.map(({ x1 }) => x1), ...levels.flatMap(across)]);
  const ys = gridPositions([...levels.map(({ y1 }) => y1), ...uprights.flatMap(down)]);
  return xs.length > 2 && ys.length > 2 ? { xs, ys, levels, uprights } : undefined;
}

function gridPositions(values: readonly number[]): number[] {
  const found: number[] = [];
  for (const value of values.toSorted((a, b) => a - b))
    if (value - (found.at(-1) ?? -Infinity) > tolerancePt) found.push(value);
  return found;
}

function placeOf({ x, y, width, size }: Run, { xs, ys }: Grid): [number, number] | undefined {
  const [middleX, middleY] = [x + Math.min(width, size * 4) / 2, y - size * 0.3];
  const column = xs.findLastIndex((left) => left <= middleX);
  const row = ys.findLastIndex((top) => top <= middleY);
  const isInside = column >= 0 && row >= 0 && column < xs.length - 1 && row < ys.length - 1;
  return isInside ? [row, column] : undefined;
}

/** The x positions at which rules cross a run: one run may contain the text of adjacent cells. */
function ruleCrossings({ y, size }: Run, { uprights }: Grid): number[] {
  return uprights
    .filter((rule) => overlap(down(rule), [y - size, y]) > size * 0.5)
    .map(({ x1 }) => x1)
    .toSorted((a, b) => a - b);
}

function fill(grid: Grid, runs: readonly Run[]): TextSpan[][][] {
  const owners = mergedCells(grid);
  const contents = Map.groupBy(runs, (run) => {
    const [row, column] = placeOf(run, grid) ?? [0, 0];
    return owners[row]?.[column] ?? '';
  });
  return owners.map((line) =>
    line.map((owner, column) => {
      const isOver = line[column - 1] === owner || Number(owner.split(':')[1]) > column;
      const edges = { left: grid.xs[column] ?? 0, right: grid.xs[column + 1] ?? 0 };
      return isOver ? [] : mergeLines(toLines(contents.get(owner) ?? []), () => edges);
    }),
  );
}

/** The cell that each grid position belongs to, as `row:column`. Positions without a rule between them are one cell. */
function mergedCells({ xs, ys, levels, uprights }: Grid): string[][] {
  const owners: string[][] = [];
  for (let row = 0; row < ys.length - 1; row += 1) {
    const [top = 0, bottom = 0] = [ys[row], ys[row + 1]];
    owners.push([]);
    for (let column = 0; column < xs.length - 1; column += 1) {
      const [left = 0, right = 0] = [xs[column], xs[column + 1]];
      const isOpenLeft =
        column > 0 && !uprights.some((rule) => isSeparator(rule.x1, left, down(rule), [top, bottom]));
      const isOpenAbove =
        row > 0 && !levels.some((rule) => isSeparator(rule.y1, top, across(rule), [left, right]));
      const above = isOpenAbove ? owners[row - 1]?.[column] : undefined;
      const owner = isOpenLeft ? owners[row]?.[column - 1] : above;
      owners[row]?.push(owner ?? `${row}:${column}`);
    }
  }
  return owners;
}

function isSeparator(at: number, edge: number, reach: [number, number], side: [number, number]): boolean {
  return Math.abs(at - edge) <= tolerancePt && overlap(reach, side) > (side[1] - side[0]) * 0.5;
}
