import { dayOf, linesOfParts } from '../vault/index.ts';
import type { ListPart } from '../vault/index.ts';
import { countEach } from './count-each.ts';
import { refuseDisputes, uniteLines } from './unite-lines.ts';
import type { ResolveDispute } from './unite-lines.ts';

/**
 * Merges two lists part by part: one that only one side added is added, one that only one side changed is changed, one that one
 * side took away and the other left as it was is gone. Where both changed the same lines of a part `resolve` decides; null when it
 * refuses. `mayDouble`: two parts with one heading and different words may both stand, where it is not known what they come from.
 */
export function mergeParts(
  base: readonly ListPart[] | null,
  a: readonly ListPart[],
  b: readonly ListPart[],
  mayDouble: boolean,
  resolve: ResolveDispute = refuseDisputes,
): ListPart[] | null {
  const [known, mine, theirs] = [numbered(base ?? []), numbered(a), numbered(b)];
  const merged: ListPart[] = [];
  for (const key of inOrder(mine, theirs)) {
    const parts = mergePart(known.get(key), mine.get(key), theirs.get(key), mayDouble, resolve);
    if (parts === null) return null;
    merged.push(...parts);
  }
  return withoutDoubles(merged, a, b);
}

/** What both have word for word is there as often as one of them has it, also where others have its heading. */
function withoutDoubles(
  merged: readonly ListPart[],
  a: readonly ListPart[],
  b: readonly ListPart[],
): ListPart[] {
  const words = (part: ListPart): string => linesOfParts([part]).join('\n');
  const [mine, theirs] = [countEach(a.map(words)), countEach(b.map(words))];
  const left = new Map(mine);
  for (const [part, count] of theirs) left.set(part, Math.max(count, mine.get(part) ?? 0));
  return merged.filter((part) => {
    const count = left.get(words(part));
    if (count !== undefined) left.set(words(part), count - 1);
    return count === undefined || count > 0;
  });
}

/** Parts of one heading are told apart from below: what is new comes on top. */
function numbered(parts: readonly ListPart[]): Map<string, ListPart> {
  const counts = new Map<string, number>();
  const keyed = parts.toReversed().map((part): [string, ListPart] => {
    const heading = part.heading.normalize('NFC').replaceAll(/\s+/g, ' ');
    const count = counts.get(heading) ?? 0;
    counts.set(heading, count + 1);
    return [`${heading}\n${count}`, part];
  });
  return new Map(keyed.toReversed());
}

/** The order of the one, and what only the other has where it stands there: days by their dates, all else below the same part. */
function inOrder(mine: ReadonlyMap<string, ListPart>, theirs: ReadonlyMap<string, ListPart>): string[] {
  const order = [...mine.keys()];
  const newestFirst = (key: string): number => {
    const day = dayOf(key);
    const at = day === null ? -1 : order.findIndex((other) => (dayOf(other) ?? '9') < day);
    return day === null || at >= 0 ? at : order.length;
  };
  let above: string | undefined;
  for (const key of theirs.keys()) {
    if (!mine.has(key)) {
      const byDay = newestFirst(key);
      order.splice(byDay >= 0 ? byDay : above === undefined ? 0 : order.indexOf(above) + 1, 0, key);
    }
    above = key;
  }
  return order;
}

/** None when it is gone, two when it is not known how they go together. */
function mergePart(
  base: ListPart | undefined,
  a: ListPart | undefined,
  b: ListPart | undefined,
  mayDouble: boolean,
  resolve: ResolveDispute,
): ListPart[] | null {
  if (a === undefined || b === undefined) return keepChanged(base, a ?? b, mayDouble, resolve);
  const parts = mergeParts(base?.parts ?? null, a.parts, b.parts, mayDouble, resolve);
  if (parts === null) return null;
  const canDouble = base === undefined && mayDouble;
  const lines = uniteLines(base?.lines ?? null, a.lines, b.lines, canDouble ? refuseDisputes : resolve);
  if (lines !== null) return [{ heading: a.heading, lines, gap: a.gap ?? b.gap, parts }];
  return canDouble
    ? [
        { ...a, parts: [] },
        { ...b, parts },
      ]
    : null;
}

/** What one side took away stays as far as the other has changed it since. */
function keepChanged(
  base: ListPart | undefined,
  left: ListPart | undefined,
  mayDouble: boolean,
  resolve: ResolveDispute,
): ListPart[] | null {
  if (left === undefined) return [];
  if (base === undefined) return [left];
  const parts = mergeParts(base.parts, left.parts, [], mayDouble, resolve);
  const isSame = base.lines.join('\n') === left.lines.join('\n');
  return parts === null || (isSame && parts.length === 0) ? parts : [{ ...left, parts }];
}
