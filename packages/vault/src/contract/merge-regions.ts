import { compareLines, numberLines } from './compare-lines.ts';
import type { Edit } from './compare-lines.ts';

/** A piece of three texts: as it is to stay, or with what each side made of it. */
export type MergeRegion =
  | { kind: 'settled'; lines: string[] }
  | {
      kind: 'changed';
      base: string[];
      mine: string[];
      theirs: string[];
      /** Where `theirs` stands in its text, counted from 0. */
      theirsStart: number;
    };

/**
 * What two texts made of one that both began from, in order. What only one of them touched is settled; edits of both that
 * overlap or touch are `changed`, and for the caller to decide. `isRough` says that they differ too much to be compared exactly:
 * then a `changed` piece may be larger than what both really changed, never smaller.
 */
export function mergeRegions(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): { regions: MergeRegion[]; isRough: boolean } {
  const [o, a, b] = numberLines(base, mine, theirs) as [Int32Array, Int32Array, Int32Array];
  const [byMe, byThem] = [compareLines(o, a), compareLines(o, b)];
  const regions: MergeRegion[] = [];
  const settle = (lines: string[]): void => {
    if (lines.length > 0) regions.push({ kind: 'settled', lines });
  };
  let done = 0;
  for (const { start, end, my, their } of touching(byMe.edits, byThem.edits)) {
    settle(base.slice(done, start));
    done = end;
    const [mySpan, theirSpan] = [spanIn(my, start, end), spanIn(their, start, end)];
    if (theirSpan === null) settle(mine.slice(mySpan?.start, mySpan?.end));
    else if (mySpan === null) settle(theirs.slice(theirSpan.start, theirSpan.end));
    else
      regions.push({
        kind: 'changed',
        base: base.slice(start, end),
        mine: mine.slice(mySpan.start, mySpan.end),
        theirs: theirs.slice(theirSpan.start, theirSpan.end),
        theirsStart: theirSpan.start,
      });
  }
  settle(base.slice(done));
  return { regions, isRough: byMe.isRough || byThem.isRough };
}

/** Edits of both sides that overlap or touch each other in the base, and from where to where they reach there. */
type Touching = { start: number; end: number; my: Edit[]; their: Edit[] };

function touching(mine: readonly Edit[], theirs: readonly Edit[]): Touching[] {
  const all = [
    ...mine.map((edit) => ({ edit, isMine: true })),
    ...theirs.map((edit) => ({ edit, isMine: false })),
  ].toSorted((x, y) => x.edit.old.start - y.edit.old.start);
  const groups: Touching[] = [];
  for (const { edit, isMine } of all) {
    let group = groups.at(-1);
    if (group === undefined || edit.old.start > group.end) {
      group = { ...edit.old, my: [], their: [] };
      groups.push(group);
    }
    group.end = Math.max(group.end, edit.old.end);
    (isMine ? group.my : group.their).push(edit);
  }
  return groups;
}

/** Lines `start` to `end` of the base as a side has them; null when it did not touch them. */
function spanIn(edits: readonly Edit[], start: number, end: number): { start: number; end: number } | null {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    start: first.new.start - (first.old.start - start),
    end: last.new.end + (end - last.old.end),
  };
}
