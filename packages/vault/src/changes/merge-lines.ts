import { diff3 } from '../contract/index.ts';

/** `isApproximate` is true if the texts differ too much to be certain that both sides changed the same lines. */
export type MergeResult =
  | { ok: true; text: string }
  | { ok: false; conflicts: Conflict[]; isApproximate: boolean };

/** A region that both sides changed: its lines in the current file and in the incoming version. */
export type Conflict = { firstLine: number; current: string[]; incoming: string[] };

/**
 * What to do where both sides changed the same lines. `fail`: merge nothing. `union`: keep both of two insertions at
 * the same place, fail on everything else. The user can choose the others: `keep` the current lines, `replace` them
 * with the incoming ones, or keep `both`, one below the other.
 */
export type ConflictStrategy = 'fail' | 'union' | 'keep' | 'replace' | 'both';

/**
 * Three-way merge by lines: applies the differences between `base` and the incoming text to the current text. Equal
 * changes on both sides are one change; adjacent changes do not conflict. Equal insertions at the same place are one
 * insertion; different ones are both kept only if `keepsBothInsertions` is set, as for a changelog. Lines keep their
 * line endings, so a CRLF file stays a CRLF file.
 */
export function mergeLines(
  base: string,
  incoming: string,
  current: string,
  keepsBothInsertions = false,
  strategy: ConflictStrategy = 'fail',
): MergeResult {
  if (current === base || current === incoming) return { ok: true, text: incoming };
  if (incoming === base) return { ok: true, text: current };
  const { regions, isApproximate } = diff3(
    splitKeepingEnds(base),
    splitKeepingEnds(incoming),
    splitKeepingEnds(current),
  );
  const conflicts: Conflict[] = [];
  const pieces: string[][] = [];
  for (const region of regions) {
    if (region.kind === 'resolved') pieces.push(region.lines);
    else {
      const { ours, theirs, theirsStart } = region;
      const merged =
        mergeRegion(region.base, ours, theirs, keepsBothInsertions) ??
        resolveRegion(strategy, region.base, ours, theirs);
      if (merged === null) conflicts.push({ firstLine: theirsStart + 1, current: theirs, incoming: ours });
      else pieces.push(merged);
    }
  }
  return conflicts.length > 0
    ? { ok: false, conflicts, isApproximate }
    : { ok: true, text: joinLines(pieces.flat(), base.includes('\r\n') ? '\r\n' : '\n') };
}

/** Adds a line ending to a last line without one when lines of the other side follow it. */
function joinLines(lines: readonly string[], end: string): string {
  return lines
    .map((line, index) =>
      line.endsWith('\n') || line === '' || index === lines.length - 1 ? line : line + end,
    )
    .join('');
}

/** Null when both sides changed the same lines. */
function mergeRegion(
  base: string[],
  incoming: string[],
  current: string[],
  keepsBothInsertions: boolean,
): string[] | null {
  if (linesEqual(incoming, current)) return incoming;
  // Newer lines above older ones, as in a changelog.
  if (base.length === 0) return keepsBothInsertions ? [...incoming, ...current] : null;
  return mergeDisjoint(base, current, incoming) ?? mergeDisjoint(base, incoming, current);
}

/** Null when the strategy does not resolve the conflict. */
function resolveRegion(
  strategy: ConflictStrategy,
  base: string[],
  incoming: string[],
  current: string[],
): string[] | null {
  switch (strategy) {
    case 'fail':
      return null;
    case 'union':
      return base.length === 0 ? concatLines(current, incoming) : null;
    case 'keep':
      return current;
    case 'replace':
      return incoming;
    case 'both':
      return concatLines(current, incoming);
  }
}

/** Adds a line ending if the last upper line has none. */
function concatLines(upper: string[], lower: string[]): string[] {
  const last = upper.at(-1);
  if (last === undefined || last.endsWith('\n') || lower.length === 0) return [...upper, ...lower];
  const end = lower.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  return [...upper.slice(0, -1), `${last}${end}`, ...lower];
}

/**
 * Merges a region in which one side changed only lines above some point and the other only lines below it; null otherwise.
 */
export function mergeDisjoint(base: string[], above: string[], below: string[]): string[] | null {
  // One side kept everything from here on, the other everything before it.
  const from = base.length - commonSuffixLength(base, above);
  if (from <= commonPrefixLength(base, below))
    return [...above.slice(0, above.length - (base.length - from)), ...below.slice(from)];
  // Each side removed one end; a line between the two, such as a blank one, was removed by both.
  const isRest =
    commonSuffixLength(base, above) === above.length && commonPrefixLength(base, below) === below.length;
  return isRest && above.length + below.length <= base.length ? [] : null;
}

/** The number of equal lines at the start of both texts. */
export function commonPrefixLength(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length);
  let count = 0;
  while (count < limit && a[count] === b[count]) count += 1;
  return count;
}

export function commonSuffixLength(a: readonly string[], b: readonly string[]): number {
  const limit = Math.min(a.length, b.length);
  let count = 0;
  while (count < limit && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function splitKeepingEnds(text: string): string[] {
  return text.split(/(?<=\n)/);
}

export function linesEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && commonPrefixLength(a, b) === a.length;
}
