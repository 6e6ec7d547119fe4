import { mergeRegions } from '../contract/index.ts';

/** `isRough` when the texts differ too much to say for certain that both sides changed these very lines. */
export type Merged = { ok: true; text: string } | { ok: false; conflicts: Conflict[]; isRough: boolean };

/** A place that both sides changed: lines of the present file, and what was to stand there instead. */
export type Conflict = { firstLine: number; present: string[]; wanted: string[] };

/**
 * What to do where both sides changed the same lines. `refuse`: nothing is merged. `add`: two insertions at one place of
 * a note both stand, everything else is refused. The others are what a person may choose: `keep` what stands there now, `replace` it by
 * what is wanted, or let `both` stand, one below the other.
 */
export type ConflictRule = 'refuse' | 'add' | 'keep' | 'replace' | 'both';

/**
 * Merges by lines: what `wanted` changed in `base` is applied to `present`. Equal changes on both sides are one
 * change; changes that only touch each other are no conflict. Two insertions at the same place are one, unless the file
 * `stacks`, as a changelog does. Lines keep their ends, so that a file with CRLF stays one.
 */
export function mergeLines(
  base: string,
  wanted: string,
  present: string,
  stacks = false,
  rule: ConflictRule = 'refuse',
): Merged {
  if (present === base || present === wanted) return { ok: true, text: wanted };
  if (wanted === base) return { ok: true, text: present };
  const { regions, isRough } = mergeRegions(withEnds(base), withEnds(wanted), withEnds(present));
  const conflicts: Conflict[] = [];
  const pieces: string[][] = [];
  for (const region of regions) {
    if (region.kind === 'settled') pieces.push(region.lines);
    else {
      const { mine, theirs, theirsStart } = region;
      const merged =
        mergeRegion(region.base, mine, theirs, stacks) ?? decide(rule, region.base, mine, theirs);
      if (merged === null) conflicts.push({ firstLine: theirsStart + 1, present: theirs, wanted: mine });
      else pieces.push(merged);
    }
  }
  return conflicts.length > 0
    ? { ok: false, conflicts, isRough }
    : { ok: true, text: joined(pieces.flat(), base.includes('\r\n') ? '\r\n' : '\n') };
}

/** A last line that one side left without an end gets one when lines of the other side follow it. */
function joined(lines: readonly string[], end: string): string {
  return lines
    .map((line, index) =>
      line.endsWith('\n') || line === '' || index === lines.length - 1 ? line : line + end,
    )
    .join('');
}

/** Null when both sides changed the same lines. */
function mergeRegion(base: string[], wanted: string[], present: string[], stacks: boolean): string[] | null {
  if (isSame(wanted, present)) return wanted;
  // The newer above the older, as entries of a changelog are.
  if (base.length === 0) return stacks ? [...wanted, ...present] : null;
  return besides(base, present, wanted) ?? besides(base, wanted, present);
}

/** Null when the rule leaves the conflict to somebody. */
function decide(rule: ConflictRule, base: string[], wanted: string[], present: string[]): string[] | null {
  switch (rule) {
    case 'refuse':
      return null;
    case 'add':
      return base.length === 0 ? oneBelowTheOther(present, wanted) : null;
    case 'keep':
      return present;
    case 'replace':
      return wanted;
    case 'both':
      return oneBelowTheOther(present, wanted);
  }
}

/** The last line of a file may have no end yet. */
function oneBelowTheOther(upper: string[], lower: string[]): string[] {
  const last = upper.at(-1);
  if (last === undefined || last.endsWith('\n') || lower.length === 0) return [...upper, ...lower];
  const end = lower.some((line) => line.endsWith('\r\n')) ? '\r\n' : '\n';
  return [...upper.slice(0, -1), `${last}${end}`, ...lower];
}

/** When one side changed only the lines above some place and the other only those below it, both have what they want. */
export function besides(base: string[], above: string[], below: string[]): string[] | null {
  // One kept everything from here on, the other everything up to there.
  const from = base.length - sameAtEnd(base, above);
  if (from <= sameAtStart(base, below))
    return [...above.slice(0, above.length - (base.length - from)), ...below.slice(from)];
  // Each took away one end; a line between the two, such as an empty one, both did.
  const isRest = sameAtEnd(base, above) === above.length && sameAtStart(base, below) === below.length;
  return isRest && above.length + below.length <= base.length ? [] : null;
}

/** How many lines two texts begin with in common. */
export function sameAtStart(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

export function sameAtEnd(a: readonly string[], b: readonly string[]): number {
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

function withEnds(text: string): string[] {
  return text.split(/(?<=\n)/);
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && sameAtStart(a, b) === a.length;
}
