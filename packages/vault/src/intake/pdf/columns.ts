import type { Line } from './line.ts';
import { overlap } from './run.ts';
import type { Run } from './run.ts';

/** Parts of lines that are side by side. */
export type Band = { top: number; bottom: number; parts: Line[] };

/** A range of empty x positions. */
type Gap = [number, number];

export function toBands(parts: readonly Line[]): Band[] {
  const bands: Band[] = [];
  for (const part of parts.toSorted((a, b) => a.top - b.top)) {
    const band = bands.at(-1);
    if (band !== undefined && part.top < band.bottom - part.size * 0.25) {
      band.parts.push(part);
      band.bottom = Math.max(band.bottom, part.bottom);
    } else bands.push({ top: part.top, bottom: part.bottom, parts: [part] });
  }
  return bands;
}

/** The first band after `start` that does not belong to the columns starting there; `start` if there are no columns. */
export function findColumnsEnd(bands: readonly Band[], start: number): number {
  let end = start;
  while (end < bands.length && belongs(bands.slice(start, end), bands[end])) end += 1;
  // A last line in only one column may be text that follows the columns.
  while (end > start && !spansBothSides(bands.slice(start, end))) end -= 1;
  const group = bands.slice(start, end);
  const [, middle] = widestOf(findGaps(group));
  const rowsOf = (parts: readonly Line[]): number => new Set(parts.map(({ y }) => Math.round(y))).size;
  const [rows, before, after] = [
    rowsOf(partsOf(group)),
    rowsOf(partsOf(group).filter(({ left }) => left < middle)),
    rowsOf(partsOf(group).filter(({ left }) => left >= middle)),
  ];
  // In justified text, spaces may line up to form a gap by chance, but not over many lines in a row.
  const isEnough =
    rows >= (hasWideGap(group, 2.5) ? 2 : hasWideGap(group, 0.9) ? 4 : 6) && before > 1 && after > 1;
  return isEnough && !isCode(group) && !isLabelColumn(group) ? end : start;
}

/** Whether the widest gap is wider than `letters` times the font size. */
export function hasWideGap(group: readonly Band[], letters: number): boolean {
  const [from, to] = widestOf(findGaps(group));
  return to - from > sizeOf(group[0]) * letters;
}

/** The x ranges between the first and the last letter that are empty in all bands. */
export function findGaps(bands: readonly Band[]): Gap[] {
  const parts = partsOf(bands).toSorted((a, b) => a.left - b.left);
  const minGap = (parts[0]?.size ?? 10) * 0.5;
  const gaps: Gap[] = [];
  let end = parts[0]?.right ?? 0;
  for (const { left, right } of parts) {
    if (left - end > minGap) gaps.push([end, left]);
    end = Math.max(end, right);
  }
  return gaps;
}

/** Whether a band is close above the columns and crosses none of their gaps. */
export function isHeadingAbove(band: Band | undefined, group: readonly Band[]): boolean {
  const [first] = group;
  if (band === undefined || first === undefined) return false;
  const isFree = findGaps([band, ...group]).length >= findGaps(group).length;
  return isFree && first.top - band.bottom < sizeOf(band) * 0.8;
}

/** Splits into two columns at the widest gap. A narrow gap may be accidental; a real one is found by the next split. */
export function splitColumns(group: readonly Band[]): Run[][] {
  const [, middle] = widestOf(findGaps(group));
  const runs = runsOf(group);
  return [runs.filter(({ x }) => x < middle), runs.filter(({ x }) => x >= middle)].filter(
    (column) => column.length > 0,
  );
}

export function runsOf(bands: readonly Band[]): Run[] {
  return partsOf(bands).flatMap(({ runs }) => runs);
}

function belongs(group: readonly Band[], band: Band | undefined): boolean {
  if (band === undefined) return false;
  const gaps = findGaps([...group, band]);
  const last = group.at(-1);
  if (last === undefined || gaps.length === 0) return gaps.length > 0;
  if (band.top - last.bottom < sizeOf(band) * 1.5) return true;
  // A band far below belongs to the columns only if it has the same gap.
  const theirs = findGaps(group);
  return findGaps([band]).some((own) => theirs.some((gap) => isSame(own, gap)));
}

function isSame(a: Gap, b: Gap): boolean {
  return overlap(a, b) > Math.max(a[1] - a[0], b[1] - b[0]) * 0.6;
}

/**
 * Whether the last band belongs to the columns: it has words on both sides of a gap, or it continues the text of one
 * column.
 */
function spansBothSides(bands: readonly Band[]): boolean {
  const [last, before] = [bands.at(-1), bands.at(-2)];
  if (last === undefined) return false;
  const isOnBoth = findGaps(bands).some(
    ([from, to]) =>
      last.parts.some(({ right }) => right <= from) && last.parts.some(({ left }) => left >= to),
  );
  if (isOnBoth) return true;
  if (before === undefined) return false;
  const gap = last.top - before.bottom;
  const isNext = partsOf(bands.slice(0, -1)).some(
    ({ left }) => Math.abs(left - (last.parts[0]?.left ?? 0)) < 2,
  );
  const isProse =
    bands.length > 3 && partsOf(bands).filter(({ text }) => text.length > 30).length > bands.length;
  return gap < sizeOf(last) * (isProse ? 2.5 : 0.9) && (isProse || isNext);
}

function isCode(group: readonly Band[]): boolean {
  return partsOf(group).every(({ isMono }) => isMono);
}

/** Whether the left column consists of labels, such as list numbers and bullets, which are not a column. */
function isLabelColumn(group: readonly Band[]): boolean {
  const gaps = findGaps(group);
  const [, to] = gaps[0] ?? [0, 0];
  const labels = partsOf(group).filter(({ left }) => left < to);
  return (
    gaps.length === 1 &&
    labels.every(({ text }) => /^(?:[([]?(?:[A-Z\d]{1,3}|[a-z])(?:\.\d+)*[.)\]:]?|\W)$/.test(text))
  );
}

function widestOf(gaps: readonly Gap[]): Gap {
  return gaps.toSorted(([a, b], [c, d]) => d - c - (b - a))[0] ?? [0, 0];
}

function sizeOf(band: Band | undefined): number {
  return band?.parts[0]?.size ?? 10;
}

function partsOf(bands: readonly Band[]): Line[] {
  return bands.flatMap(({ parts }) => parts);
}
