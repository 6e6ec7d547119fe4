import { diff3MergeRegions } from 'node-diff3';

export type Merged = { ok: true; text: string } | { ok: false; conflicts: Conflict[] };

/** A place that both sides changed: lines of the present file, and what was to stand there instead. */
export type Conflict = { firstLine: number; present: string[]; wanted: string[] };

/**
 * Merges by lines: what `wanted` changed in `base` is applied to `present`. Equal changes on both sides are one
 * change. Lines keep their ends, so that a file with CRLF stays one.
 */
export function mergeLines(base: string, wanted: string, present: string): Merged {
  if (present === base || present === wanted) return { ok: true, text: wanted };
  if (wanted === base) return { ok: true, text: present };
  const [a, o, b] = [wanted, base, present].map(withEnds);
  const conflicts: Conflict[] = [];
  let text = '';
  for (const region of diff3MergeRegions(a ?? [], o ?? [], b ?? [])) {
    if (region.stable) text += region.bufferContent.join('');
    else if (isSame(region.aContent, region.bContent)) text += region.aContent.join('');
    else conflicts.push({ firstLine: region.bStart + 1, present: region.bContent, wanted: region.aContent });
  }
  return conflicts.length > 0 ? { ok: false, conflicts } : { ok: true, text };
}

function withEnds(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
