import { compareLines, numberLines } from '../contract/index.ts';
import { bodyOf, splitLines } from '../vault/index.ts';

/**
 * The version that two others come from, of those that history has, newest first. Each comes from the one it is nearest to, and what
 * both come from is the older of the two. When in doubt it is one too old: then what was taken away may come back, while
 * with one too new it would be lost.
 */
export function commonBase(versions: readonly string[], a: string, b: string): string | null {
  const others = versions.filter((version) => version !== a && version !== b);
  const index = Math.max(nearest(others, a), nearest(others, b));
  return others[index] ?? null;
}

/** Which of these versions a text comes from; of equally near ones the oldest, -1 when there are none. */
export function nearest(versions: readonly string[], text: string): number {
  const distances = versions.map((version) => distance(version, text));
  return distances.lastIndexOf(Math.min(...distances));
}

/** How many lines were taken away and added. */
function distance(from: string, to: string): number {
  const [old, fresh] = numberLines(splitLines(bodyOf(from)), splitLines(bodyOf(to))) as [
    Int32Array,
    Int32Array,
  ];
  return compareLines(old, fresh).edits.reduce(
    (sum, edit) => sum + edit.old.end - edit.old.start + edit.new.end - edit.new.start,
    0,
  );
}
