import { diffLines, diff3, internLines } from '../contract/index.ts';
import { countOccurrences } from './count-occurrences.ts';
import { mergeDisjoint, linesEqual, commonSuffixLength, commonPrefixLength } from './merge-lines.ts';
import { mergeTaskLines } from './merge-task-lines.ts';

/** Lines that both sides changed: their base version and the version of each side. */
export type Dispute = { base: string[]; a: string[]; b: string[] };

/** A dispute, and the lines that a merge has put in its place. */
export type KeptDispute = Dispute & { kept: string[] };

/** Resolves disputed lines; null refuses the merge. */
export type ResolveDispute = (dispute: Dispute) => string[] | null;

export const refuseDisputes: ResolveDispute = () => null;

/**
 * Merges the lines of two machines: keeps the additions of each, and equal additions once. Where both changed the same
 * lines, and without a base also where both added lines at the same place, `resolve` decides; null when it refuses.
 */
export function unionMerge(
  base: readonly string[] | null,
  a: readonly string[],
  b: readonly string[],
  resolve: ResolveDispute = refuseDisputes,
): string[] | null {
  const united: string[] = [];
  for (const region of diff3(base ?? commonLines(a, b), a, b).regions) {
    const lines =
      region.kind === 'resolved'
        ? region.lines
        : unionRegion(region.base, region.ours, region.theirs, base === null, resolve);
    if (lines === null) return null;
    united.push(...lines);
  }
  return united;
}

function unionRegion(
  base: string[],
  a: string[],
  b: string[],
  isUnknown: boolean,
  resolve: ResolveDispute,
): string[] | null {
  if (linesEqual(a, b)) return a;
  if (base.length === 0) return isUnknown ? resolve({ base, a, b }) : unionInsertions(b, a);
  const [above, below] = countSharedInsertions(base, a, b);
  if (above + below > 0) {
    const inside = (lines: string[]): string[] => lines.slice(above, lines.length - below);
    const rest = unionRegion(base, inside(a), inside(b), isUnknown, resolve);
    return rest && [...a.slice(0, above), ...rest, ...a.slice(a.length - below)];
  }
  return (
    mergeDisjoint(base, b, a) ??
    mergeDisjoint(base, a, b) ??
    mergeTaskLines(base, a, b) ??
    resolve({ base, a, b })
  );
}

/**
 * Keeps the lines of both sides, one below the other: common lines once, and lines of one side unless they are in the base,
 * because then the other side deleted them.
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
    const hasWords = lines.some((line, index) => isWanted[index] === true && hasWordCharacter(line));
    // Lines without words, such as blank ones, stay with the lines around them.
    return lines.filter((line, index) =>
      hasWords
        ? isWanted[index] === true || !hasWordCharacter(line)
        : isWanted[index] === true && line.trim() !== '',
    );
  };
  const merged: string[] = [];
  const [inA, inB] = [gapsBetween(a, common), gapsBetween(b, common)];
  for (let at = 0; at <= common.length; at += 1) {
    const [upper, lower] = [take(inA[at] ?? []), take(inB[at] ?? [])];
    merged.push(...upper, ...(wouldJoin(upper.at(-1), lower[0]) ? [''] : []), ...lower);
    const line = common[at];
    if (line !== undefined) merged.push(line);
  }
  return merged;
}

/** Whether markdown would show two lines as one paragraph. */
function wouldJoin(upper: string | undefined, lower: string | undefined): boolean {
  const isPlain = (line: string | undefined): boolean =>
    line !== undefined && hasWordCharacter(line) && !/^\s*(?:[-*+>|#]|\d+[.)]\s)/.test(line);
  return isPlain(upper) && isPlain(lower);
}

/** How often each line should occur, even if one side added copies and the other deleted some. */
function wantedCounts(base: string[], a: string[], b: string[]): Map<string, number> {
  const [was, inA, inB] = [countOccurrences(base), countOccurrences(a), countOccurrences(b)];
  const counts = new Map<string, number>();
  for (const line of new Set([...a, ...b])) {
    const [before, mine, theirs] = [was.get(line) ?? 0, inA.get(line) ?? 0, inB.get(line) ?? 0];
    const isDeleted = Math.min(mine, theirs) < before;
    counts.set(line, isDeleted ? Math.max(0, mine + theirs - before) : Math.max(mine, theirs));
  }
  return counts;
}

/** The lines before each common line, and those after the last one. */
function gapsBetween(lines: readonly string[], common: readonly string[]): string[][] {
  const gaps: string[][] = [[]];
  for (const line of lines) {
    if (line === common[gaps.length - 1]) gaps.push([]);
    else gaps.at(-1)?.push(line);
  }
  return gaps;
}

/**
 * Appends one side to the other without repeating equal lines. Lines without words, such as a bracket, stay with the lines
 * around them.
 */
function unionInsertions(upper: string[], lower: string[]): string[] {
  const available = countOccurrences(upper);
  const isNew = lower.map((line) => {
    const count = available.get(line) ?? 0;
    available.set(line, count - 1);
    return count <= 0;
  });
  const count = isNew.filter(Boolean).length;
  if (count === 0) return upper;
  if (lower.length - count === upper.length) return lower;
  return [...upper, ...lower.filter((line, index) => isNew[index] === true || !hasWordCharacter(line))];
}

/**
 * How many equal lines both sides added at the top and at the bottom of the region. They are kept once, whatever each
 * side changed between them.
 */
function countSharedInsertions(base: string[], a: string[], b: string[]): [number, number] {
  const known = new Set(base);
  const isNew = (line: string): boolean => !known.has(line);
  const above = countLeading(a.slice(0, commonPrefixLength(a, b)), isNew);
  const [c, d] = [a.slice(above), b.slice(above)];
  const below = countLeading(c.slice(c.length - commonSuffixLength(c, d)).toReversed(), isNew);
  return [above, below];
}

/** Counts the lines at the start that satisfy the condition. */
function countLeading(lines: readonly string[], isSo: (line: string) => boolean): number {
  const other = lines.findIndex((line) => !isSo(line));
  return other < 0 ? lines.length : other;
}

/** The longest common subsequence of lines. */
function commonLines(a: readonly string[], b: readonly string[]): string[] {
  const [mine, theirs] = internLines(a, b) as [Int32Array, Int32Array];
  const isCommon = Array<boolean>(a.length).fill(true);
  for (const { old } of diffLines(mine, theirs).edits) isCommon.fill(false, old.start, old.end);
  return a.filter((_, index) => isCommon[index]);
}

export function hasWordCharacter(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}
