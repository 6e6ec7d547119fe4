import { mergeKeepingBoth, mergeVersions } from '../changes/index.ts';
import type { Dispute } from '../changes/index.ts';
import { decodeText, kindOf, measureBytes, nameOf, withStampsOf } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';

type Versions = { base: Buffer | null; ours: Buffer | null; theirs: Buffer | null };

/**
 * What becomes of a file that both sides changed. `kept` is a version that is not in its place, `disputes` are lines of the file of
 * which it has both versions.
 */
export type Decision = {
  bytes: Buffer | null;
  isMerged: boolean;
  kept: Buffer | null;
  disputes: readonly Dispute[];
};

/** `isFirst` when it is not known what the two come from: then nothing is merged. */
export function decide(
  path: VaultPath,
  { base, ours, theirs }: Versions,
  isFirst: boolean,
  layout: Layout,
): Decision {
  const whole = (bytes: Buffer | null): Decision => ({
    bytes,
    isMerged: false,
    kept: null,
    disputes: [],
  });
  if (ours === null || theirs === null) {
    const left = ours ?? theirs;
    const isGone = base !== null && left !== null && isOnlyStamped(path, base, left);
    return whole(isGone ? null : left);
  }
  if (ours.equals(theirs)) return whole(ours);
  const merged = isFirst ? null : merge(path, { base, ours, theirs }, layout);
  if (merged !== null)
    return {
      bytes: Buffer.from(merged.text),
      isMerged: merged.disputes.length === 0,
      kept: null,
      disputes: merged.disputes,
    };
  const [bytes, kept] = updatedOf(ours) > updatedOf(theirs) ? [ours, theirs] : [theirs, ours];
  return { bytes, isMerged: false, kept, disputes: [] };
}

/** Null when it takes a person: for what is no note, and where it is not known what both come from. */
function merge(
  path: VaultPath,
  { base, ours, theirs }: Versions,
  layout: Layout,
): { text: string; disputes: readonly Dispute[] } | null {
  const [from = null, mine, other] = [base, ours, theirs].map((bytes) => textOf(path, bytes));
  if (typeof mine !== 'string' || typeof other !== 'string') return null;
  const text = mergeVersions(path, from, mine, other, layout);
  if (text !== null) return { text, disputes: [] };
  return from === null ? null : mergeKeepingBoth(path, from, mine, other, layout);
}

/** Null for what is no note: two pieces of JSON or of a table may be none. */
function textOf(path: VaultPath, bytes: Buffer | null): string | null {
  const decoded = bytes !== null && kindOf(nameOf(path)) === 'markdown' ? decodeText(bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : null;
}

/** Stamps are no words that could be lost. */
function isOnlyStamped(path: VaultPath, base: Buffer, now: Buffer): boolean {
  const [was, is] = [textOf(path, base), textOf(path, now)];
  return was !== null && is !== null && withStampsOf(is, was) === is;
}

function updatedOf(bytes: Buffer): string {
  return measureBytes(bytes)?.updated ?? '';
}
