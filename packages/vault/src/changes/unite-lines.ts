import { compareLines, mergeRegions, numberLines } from '../contract/index.ts';
import { countEach } from './count-each.ts';
import { besides, isSame, sameAtEnd, sameAtStart } from './merge.ts';

/** Lines that both sides changed, as each of them has them. */
export type Dispute = { base: string[]; a: string[]; b: string[] };

/** Decides what becomes of disputed lines; null refuses the merge. */
export type ResolveDispute = (dispute: Dispute) => string[] | null;

export const refuseDisputes: ResolveDispute = () => null;

/**
 * What two machines made of the same lines: what each added stands, what both added once. Where both changed the same ones, and
 * without a base also where both added at one place, `resolve` decides; null when it refuses.
 */
export function uniteLines(
  base: readonly string[] | null,
  a: readonly string[],
  b: readonly string[],
  resolve: ResolveDispute = refuseDisputes,
): string[] | null {
  const united: string[] = [];
  for (const region of mergeRegions(base ?? commonLines(a, b), a, b).regions) {
    const lines =
      region.kind === 'settled'
        ? region.lines
        : unite(region.base, region.mine, region.theirs, base === null, resolve);
    if (lines === null) return null;
    united.push(...lines);
  }
  return united;
}

function unite(
  base: string[],
  a: string[],
  b: string[],
  isUnknown: boolean,
  resolve: ResolveDispute,
): string[] | null {
  if (isSame(a, b)) return a;
  if (base.length === 0) return isUnknown ? resolve({ base, a, b }) : addedByBoth(b, a);
  const [above, below] = addedAround(base, a, b);
  if (above + below > 0) {
    const inside = (lines: string[]): string[] => lines.slice(above, lines.length - below);
    const rest = unite(base, inside(a), inside(b), isUnknown, resolve);
    return rest && [...a.slice(0, above), ...rest, ...a.slice(a.length - below)];
  }
  return besides(base, b, a) ?? besides(base, a, b) ?? resolve({ base, a, b });
}

/**
 * Keeps what each side wrote in disputed lines, one below the other: lines of both once, lines that only one side has unless they are
 * in the base, because then the other side deleted them.
 */
export function keepBothSides({ base, a, b }: Dispute): string[] {
  const common = commonLines(a, b);
  const left = wantedCounts(base, a, b);
  for (const line of common) left.set(line, (left.get(line) ?? 0) - 1);
  const take = (lines: readonly string[]): string[] => {
    const isWanted = lines.map((line) => {
      const count = left.get(line) ?? 0;
      if (count > 0) left.set(line, count - 1);
      return count > 0;
    });
    const hasWords = lines.some((line, index) => isWanted[index] === true && hasWord(line));
    // A line without a word, such as a blank one, belongs to those around it.
    return lines.filter((line, index) =>
      hasWords ? isWanted[index] === true || !hasWord(line) : isWanted[index] === true && line.trim() !== '',
    );
  };
  const kept: string[] = [];
  const [inA, inB] = [gapsBetween(a, common), gapsBetween(b, common)];
  for (let at = 0; at <= common.length; at += 1) {
    const [upper, lower] = [take(inA[at] ?? []), take(inB[at] ?? [])];
    kept.push(...upper, ...(wouldJoin(upper.at(-1), lower[0]) ? [''] : []), ...lower);
    const line = common[at];
    if (line !== undefined) kept.push(line);
  }
  return kept;
}

/** Whether markdown would show two lines as one paragraph. */
function wouldJoin(upper: string | undefined, lower: string | undefined): boolean {
  const isPlain = (line: string | undefined): boolean =>
    line !== undefined && hasWord(line) && !/^\s*(?:[-*+>|#]|\d+[.)]\s)/.test(line);
  return isPlain(upper) && isPlain(lower);
}

/** How often each line is to be there: as often as both want it, where one added copies and the other deleted some. */
function wantedCounts(base: string[], a: string[], b: string[]): Map<string, number> {
  const [was, inA, inB] = [countEach(base), countEach(a), countEach(b)];
  const counts = new Map<string, number>();
  for (const line of new Set([...a, ...b])) {
    const [before, mine, theirs] = [was.get(line) ?? 0, inA.get(line) ?? 0, inB.get(line) ?? 0];
    const isDeleted = Math.min(mine, theirs) < before;
    counts.set(line, isDeleted ? Math.max(0, mine + theirs - before) : Math.max(mine, theirs));
  }
  return counts;
}

/** The lines before each of the common ones, and those after the last. */
function gapsBetween(lines: readonly string[], common: readonly string[]): string[][] {
  const gaps: string[][] = [[]];
  for (const line of lines) {
    if (line === common[gaps.length - 1]) gaps.push([]);
    else gaps.at(-1)?.push(line);
  }
  return gaps;
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
