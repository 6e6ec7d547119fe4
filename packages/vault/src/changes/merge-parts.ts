import { parseDay, formatParts } from '../vault/index.ts';
import type { ListPart } from '../vault/index.ts';
import { countOccurrences } from './count-occurrences.ts';
import { refuseDisputes, unionMerge } from './union-merge.ts';
import type { ResolveDispute } from './union-merge.ts';

/**
 * Merges two lists part by part. A part that only one side added or changed is taken from that side; a part that one
 * side removed and the other left unchanged is removed. Where both sides changed the same lines, `resolve` decides;
 * returns null when it refuses. `allowDuplicates`: if both sides added a part with the same heading and different text,
 * both parts are kept.
 */
export function mergeParts(
  base: readonly ListPart[] | null,
  a: readonly ListPart[],
  b: readonly ListPart[],
  allowDuplicates: boolean,
  resolve: ResolveDispute = refuseDisputes,
): ListPart[] | null {
  const [known, ours, theirs] = [keyByHeading(base ?? []), keyByHeading(a), keyByHeading(b)];
  const merged: ListPart[] = [];
  for (const key of mergeOrder(ours, theirs)) {
    const parts = mergePart(known.get(key), ours.get(key), theirs.get(key), allowDuplicates, resolve);
    if (parts === null) return null;
    merged.push(...parts);
  }
  return removeDuplicates(merged, a, b);
}

/**
 * A part with the same text on both sides appears as often as on the side with more copies, even if other parts share its
 * heading.
 */
function removeDuplicates(
  merged: readonly ListPart[],
  a: readonly ListPart[],
  b: readonly ListPart[],
): ListPart[] {
  const words = (part: ListPart): string => formatParts([part]).join('\n');
  const [ours, theirs] = [countOccurrences(a.map(words)), countOccurrences(b.map(words))];
  const remaining = new Map(ours);
  for (const [part, count] of theirs) remaining.set(part, Math.max(count, ours.get(part) ?? 0));
  return merged.filter((part) => {
    const count = remaining.get(words(part));
    if (count !== undefined) remaining.set(words(part), count - 1);
    return count === undefined || count > 0;
  });
}

/** Numbers parts with the same heading from the bottom up, because new parts are added on top. */
function keyByHeading(parts: readonly ListPart[]): Map<string, ListPart> {
  const counts = new Map<string, number>();
  const keyed = parts.toReversed().map((part): [string, ListPart] => {
    const heading = part.heading.normalize('NFC').replaceAll(/\s+/g, ' ');
    const count = counts.get(heading) ?? 0;
    counts.set(heading, count + 1);
    return [`${heading}\n${count}`, part];
  });
  return new Map(keyed.toReversed());
}

/**
 * The order of `ours`, into which the parts that only `theirs` has are inserted: days by date, all others below their
 * predecessor.
 */
function mergeOrder(ours: ReadonlyMap<string, ListPart>, theirs: ReadonlyMap<string, ListPart>): string[] {
  const order = [...ours.keys()];
  const newestFirst = (key: string): number => {
    const day = parseDay(key);
    const at = day === null ? -1 : order.findIndex((other) => (parseDay(other) ?? '9') < day);
    return day === null || at >= 0 ? at : order.length;
  };
  let above: string | undefined;
  for (const key of theirs.keys()) {
    if (!ours.has(key)) {
      const byDay = newestFirst(key);
      order.splice(byDay >= 0 ? byDay : above === undefined ? 0 : order.indexOf(above) + 1, 0, key);
    }
    above = key;
  }
  return order;
}

/**
 * Returns no part if it was removed, both versions if they cannot be merged and duplicates are allowed, and null if
 * `resolve` refuses.
 */
function mergePart(
  base: ListPart | undefined,
  a: ListPart | undefined,
  b: ListPart | undefined,
  allowDuplicates: boolean,
  resolve: ResolveDispute,
): ListPart[] | null {
  if (a === undefined || b === undefined) return resolveRemoval(base, a ?? b, allowDuplicates, resolve);
  const parts = mergeParts(base?.parts ?? null, a.parts, b.parts, allowDuplicates, resolve);
  if (parts === null) return null;
  const keepsBoth = base === undefined && allowDuplicates;
  const lines = unionMerge(base?.lines ?? null, a.lines, b.lines, keepsBoth ? refuseDisputes : resolve);
  if (lines !== null)
    return [{ heading: a.heading, lines, blankLinesAfter: a.blankLinesAfter ?? b.blankLinesAfter, parts }];
  return keepsBoth
    ? [
        { ...a, parts: [] },
        { ...b, parts },
      ]
    : null;
}

/**
 * Merges a part that only one side has: a new part is kept; a part that the other side removed is kept as far as it was
 * changed.
 */
function resolveRemoval(
  base: ListPart | undefined,
  remaining: ListPart | undefined,
  allowDuplicates: boolean,
  resolve: ResolveDispute,
): ListPart[] | null {
  if (remaining === undefined) return [];
  if (base === undefined) return [remaining];
  const parts = mergeParts(base.parts, remaining.parts, [], allowDuplicates, resolve);
  const isSame = base.lines.join('\n') === remaining.lines.join('\n');
  return parts === null || (isSame && parts.length === 0) ? parts : [{ ...remaining, parts }];
}
