import { readAlignedTable } from './aligned-table.ts';
import {
  isHeadingAbove,
  splitColumns,
  findColumnsEnd,
  findGaps,
  hasWideGap,
  runsOf,
  toBands,
} from './columns.ts';
import type { Band } from './columns.ts';
import { splitAtGaps, toLines } from './line.ts';
import type { Line } from './line.ts';
import { findRuledTables } from './ruled-tables.ts';
import type { PageTable, Rule } from './ruled-tables.ts';
import type { Run } from './run.ts';

/** A part of a page that is read from top to bottom. */
export type Region = { kind: 'text'; lines: Line[] } | { kind: 'table'; table: PageTable };

/** Splits a page into regions in reading order: columns from left to right, and tables. */
export function splitIntoRegions(runs: readonly Run[], rules: readonly Rule[]): Region[] {
  const { tables, rest } = findRuledTables(rules, runs);
  const regions: Region[] = [];
  let left = rest;
  for (const table of tables.toSorted((a, b) => a.top - b.top)) {
    const above = left.filter(({ y }) => y < table.top + 2);
    left = left.filter(({ y }) => y >= table.top + 2);
    regions.push(...splitAtColumns(above, rules), { kind: 'table', table });
  }
  return [...regions, ...splitAtColumns(left, rules)];
}

function splitAtColumns(runs: readonly Run[], rules: readonly Rule[]): Region[] {
  if (runs.length === 0) return [];
  const bands = toBands(toLines(runs).flatMap(splitAtGaps));
  const regions: Region[] = [];
  let plain: Band[] = [];
  const flush = (): void => {
    if (plain.length > 0) regions.push({ kind: 'text', lines: toLines(runsOf(plain)) });
    plain = [];
  };
  for (let index = 0; index < bands.length;) {
    const group = bands.slice(index, findColumnsEnd(bands, index));
    const table = group.length > 0 ? tableOf(group, rules) : undefined;
    if (table === undefined && !hasWideGap(group, 0.9)) {
      plain.push(...bands.slice(index, index + 1));
      index += 1;
      continue;
    }
    index += group.length;
    // Text that is close above columns and crosses none of their gaps belongs to them.
    if (table === undefined) while (isHeadingAbove(plain.at(-1), group)) group.unshift(...plain.splice(-1));
    flush();
    if (table) regions.push({ kind: 'table', table });
    else regions.push(...splitColumns(group).flatMap((column) => splitAtColumns(column, rules)));
  }
  flush();
  return regions;
}

function tableOf(group: readonly Band[], rules: readonly Rule[]): PageTable | undefined {
  const lines = group.map(({ parts }) => parts);
  return readAlignedTable(lines, findGaps(group), rules);
}
