import { diff3MergeRegions } from 'node-diff3';

export type Merged = { ok: true; text: string } | { ok: false; conflicts: Conflict[] };

/** A place that both sides changed: lines of the present file, and what was to stand there instead. */
export type Conflict = { firstLine: number; present: string[]; wanted: string[] };

/**
 * Merges by lines: what `wanted` changed in `base` is applied to `present`. Equal changes on both sides are one
 * change; changes that only touch each other are no conflict. Two insertions at the same place are one, unless the file
 * `stacks`, as a changelog does. Lines keep their ends, so that a file with CRLF stays one.
 */
export function mergeLines(base: string, wanted: string, present: string, stacks = false): Merged {
  if (present === base || present === wanted) return { ok: true, text: wanted };
  if (wanted === base) return { ok: true, text: present };
  const [a, o, b] = [wanted, base, present].map(withEnds);
  const conflicts: Conflict[] = [];
  let text = '';
  for (const region of diff3MergeRegions(a ?? [], o ?? [], b ?? [])) {
    if (region.stable) text += region.bufferContent.join('');
    else {
      const { aContent, oContent, bContent } = region;
      const merged = mergeRegion(oContent, aContent, bContent, stacks);
      if (merged === null)
        conflicts.push({ firstLine: region.bStart + 1, present: bContent, wanted: aContent });
      else text += merged.join('');
    }
  }
  return conflicts.length > 0 ? { ok: false, conflicts } : { ok: true, text };
}

/** Null when both sides changed the same lines. */
function mergeRegion(base: string[], wanted: string[], present: string[], stacks: boolean): string[] | null {
  if (isSame(wanted, present)) return wanted;
  // The newer above the older, as entries of a changelog are.
  if (base.length === 0) return stacks ? [...wanted, ...present] : null;
  return besides(base, present, wanted) ?? besides(base, wanted, present);
}

/** When one side changed only the lines above some place and the other only those below it, both have what they want. */
function besides(base: string[], above: string[], below: string[]): string[] | null {
  for (let place = 0; place <= base.length; place += 1) {
    const [head, tail] = [base.slice(0, place), base.slice(place)];
    const kept = above.length - tail.length;
    if (kept >= 0 && isSame(above.slice(kept), tail) && isSame(below.slice(0, place), head))
      return [...above.slice(0, kept), ...below.slice(place)];
  }
  // Each took away one end; a line between the two, such as an empty one, both did.
  const isRest =
    isSame(above, base.slice(base.length - above.length)) && isSame(below, base.slice(0, below.length));
  return isRest && above.length + below.length <= base.length ? [] : null;
}

function withEnds(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
