import { compareLines, mergeRegions, numberLines } from '../contract/index.ts';
import { countEach } from './count-each.ts';
import { besides, isSame, sameAtEnd, sameAtStart } from './merge.ts';

/**
 * What two machines made of the same lines: what each added stands, what both added once. Null when both changed the same ones, and
 * without a base also when both added at one place: nobody knows what stood there.
 */
export function uniteLines(
  base: readonly string[] | null,
  a: readonly string[],
  b: readonly string[],
): string[] | null {
  const united: string[] = [];
  for (const region of mergeRegions(base ?? commonLines(a, b), a, b).regions) {
    const lines =
      region.kind === 'settled'
        ? region.lines
        : unite(region.base, region.mine, region.theirs, base === null);
    if (lines === null) return null;
    united.push(...lines);
  }
  return united;
}

function unite(base: string[], a: string[], b: string[], isUnknown: boolean): string[] | null {
  if (isSame(a, b)) return a;
  if (base.length === 0) return isUnknown ? null : addedByBoth(b, a);
  const [above, below] = addedAround(base, a, b);
  if (above + below > 0) {
    const inside = (lines: string[]): string[] => lines.slice(above, lines.length - below);
    const rest = unite(base, inside(a), inside(b), isUnknown);
    return rest && [...a.slice(0, above), ...rest, ...a.slice(a.length - below)];
  }
  return besides(base, b, a) ?? besides(base, a, b);
}

/** One below the other. A line without a word, such as a bracket, belongs to those around it. */
function addedByBoth(upper: string[], lower: string[]): string[] {
  const there = countEach(upper);
  const isNew = lower.map((line) => {
    const count = there.get(line) ?? 0;
    there.set(line, count - 1);
    return count <= 0;
  });
  const count = isNew.filter(Boolean).length;
  if (count === 0) return upper;
  if (lower.length - count === upper.length) return lower;
  return [...upper, ...lower.filter((line, index) => isNew[index] === true || !hasWord(line))];
}

/** How many lines both put above and below the others: they are there once, whatever each did between them. */
function addedAround(base: string[], a: string[], b: string[]): [number, number] {
  const known = new Set(base);
  const isNew = (line: string): boolean => !known.has(line);
  const above = leading(a.slice(0, sameAtStart(a, b)), isNew);
  const [c, d] = [a.slice(above), b.slice(above)];
  const below = leading(c.slice(c.length - sameAtEnd(c, d)).toReversed(), isNew);
  return [above, below];
}

/** How many lines from the first on are so. */
function leading(lines: readonly string[], isSo: (line: string) => boolean): number {
  const other = lines.findIndex((line) => !isSo(line));
  return other < 0 ? lines.length : other;
}

/** The lines that both have, in one order. */
function commonLines(a: readonly string[], b: readonly string[]): string[] {
  const [mine, theirs] = numberLines(a, b) as [Int32Array, Int32Array];
  const isCommon = Array<boolean>(a.length).fill(true);
  for (const { old } of compareLines(mine, theirs).edits) isCommon.fill(false, old.start, old.end);
  return a.filter((_, index) => isCommon[index]);
}

export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
