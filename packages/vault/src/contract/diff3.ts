import { diffLines, internLines } from './diff-lines.ts';
import type { Edit } from './diff-lines.ts';

/** A region of a three-way merge: resolved lines, or the conflicting lines of both sides. */
export type MergeRegion =
  | { kind: 'resolved'; lines: string[] }
  | {
      kind: 'conflict';
      base: string[];
      ours: string[];
      theirs: string[];
      /** First line of `theirs` in its text, counted from 0. */
      theirsStart: number;
    };

/**
 * Splits a three-way comparison into regions, in order. A region that only one side changed is resolved; overlapping or
 * adjacent edits of both sides are a conflict that the caller has to resolve. If the comparison is approximate, a
 * conflict may be larger than the lines that both sides changed, but never smaller.
 */
export function diff3(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): { regions: MergeRegion[]; isApproximate: boolean } {
  const [o, a, b] = internLines(base, ours, theirs) as [Int32Array, Int32Array, Int32Array];
  const [ourDiff, theirDiff] = [diffLines(o, a), diffLines(o, b)];
  const regions: MergeRegion[] = [];
  const pushResolved = (lines: string[]): void => {
    if (lines.length > 0) regions.push({ kind: 'resolved', lines });
  };
  let done = 0;
  for (const { start, end, ourEdits, theirEdits } of groupOverlapping(ourDiff.edits, theirDiff.edits)) {
    pushResolved(base.slice(done, start));
    done = end;
    const [ourSpan, theirSpan] = [mapSpan(ourEdits, start, end), mapSpan(theirEdits, start, end)];
    if (theirSpan === null) pushResolved(ours.slice(ourSpan?.start, ourSpan?.end));
    else if (ourSpan === null) pushResolved(theirs.slice(theirSpan.start, theirSpan.end));
    else
      regions.push({
        kind: 'conflict',
        base: base.slice(start, end),
        ours: ours.slice(ourSpan.start, ourSpan.end),
        theirs: theirs.slice(theirSpan.start, theirSpan.end),
        theirsStart: theirSpan.start,
      });
  }
  pushResolved(base.slice(done));
  return { regions, isApproximate: ourDiff.isApproximate || theirDiff.isApproximate };
}

/** Overlapping or adjacent edits of both sides, with the range of base lines that they cover. */
type EditGroup = { start: number; end: number; ourEdits: Edit[]; theirEdits: Edit[] };

function groupOverlapping(ours: readonly Edit[], theirs: readonly Edit[]): EditGroup[] {
  const all = [
    ...ours.map((edit) => ({ edit, isOurs: true })),
    ...theirs.map((edit) => ({ edit, isOurs: false })),
  ].toSorted((x, y) => x.edit.old.start - y.edit.old.start);
  const groups: EditGroup[] = [];
  for (const { edit, isOurs } of all) {
    let group = groups.at(-1);
    if (group === undefined || edit.old.start > group.end) {
      group = { ...edit.old, ourEdits: [], theirEdits: [] };
      groups.push(group);
    }
    group.end = Math.max(group.end, edit.old.end);
    (isOurs ? group.ourEdits : group.theirEdits).push(edit);
  }
  return groups;
}

/** Maps base lines `start` to `end` to the lines of a side; null when the side did not edit them. */
function mapSpan(edits: readonly Edit[], start: number, end: number): { start: number; end: number } | null {
  const [first, last] = [edits[0], edits.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    start: first.new.start - (first.old.start - start),
    end: last.new.end + (end - last.old.end),
  };
}
