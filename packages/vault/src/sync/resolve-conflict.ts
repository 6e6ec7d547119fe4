import { mergeKeepingBoth, mergeVersions } from '../changes/index.ts';
import type { KeptDispute } from '../changes/index.ts';
import { decodeText, fileKindOf, computeTextStats, baseName, copyStamps } from '../vault/index.ts';
import type { Layout, VaultPath } from '../vault/index.ts';

type Versions = { base: Buffer | null; ours: Buffer | null; theirs: Buffer | null };

/**
 * The resolution for a file that both sides changed. `alternate` is the version that is not kept in the file;
 * `disputes` are the lines of which the file contains both versions.
 */
export type Resolution = {
  bytes: Buffer | null;
  isMerged: boolean;
  alternate: Buffer | null;
  disputes: readonly KeptDispute[];
};

/** `isInitialSync`: there is no common base, so nothing is merged. */
export function resolveConflict(
  path: VaultPath,
  { base, ours, theirs }: Versions,
  isInitialSync: boolean,
  layout: Layout,
): Resolution {
  const whole = (bytes: Buffer | null): Resolution => ({
    bytes,
    isMerged: false,
    alternate: null,
    disputes: [],
  });
  if (ours === null || theirs === null) {
    const left = ours ?? theirs;
    const isGone = base !== null && left !== null && differsOnlyInStamps(path, base, left);
    return whole(isGone ? null : left);
  }
  if (ours.equals(theirs)) return whole(ours);
  const merged = isInitialSync ? null : merge(path, { base, ours, theirs }, layout);
  if (merged !== null)
    return {
      bytes: Buffer.from(merged.text),
      isMerged: merged.disputes.length === 0,
      alternate: null,
      disputes: merged.disputes,
    };
  const [bytes, alternate] =
    readUpdatedTime(ours) > readUpdatedTime(theirs) ? [ours, theirs] : [theirs, ours];
  return { bytes, isMerged: false, alternate, disputes: [] };
}

/** Null if the user has to decide: for files that are not notes, and for conflicts without a common base. */
function merge(
  path: VaultPath,
  { base, ours, theirs }: Versions,
  layout: Layout,
): { text: string; disputes: readonly KeptDispute[] } | null {
  const [from = null, mine, other] = [base, ours, theirs].map((bytes) => textOf(path, bytes));
  if (typeof mine !== 'string' || typeof other !== 'string') return null;
  const text = mergeVersions(path, from, mine, other, layout);
  if (text !== null) return { text, disputes: [] };
  return from === null ? null : mergeKeepingBoth(path, from, mine, other, layout);
}

/** Null for files that are not notes: merging JSON or tables by line may corrupt them. */
function textOf(path: VaultPath, bytes: Buffer | null): string | null {
  const decoded = bytes !== null && fileKindOf(baseName(path)) === 'markdown' ? decodeText(bytes) : null;
  return decoded?.kind === 'text' ? decoded.text : null;
}

/** Whether only the stamps were changed, so that no content would be lost. */
function differsOnlyInStamps(path: VaultPath, base: Buffer, now: Buffer): boolean {
  const [was, is] = [textOf(path, base), textOf(path, now)];
  return was !== null && is !== null && copyStamps(is, was) === is;
}

function readUpdatedTime(bytes: Buffer): string {
  return computeTextStats(bytes)?.updated ?? '';
}
