import { createLayoutReader } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { applyAppend, stepsOf } from './append-step.ts';
import type { RequestedFileChange } from './append-step.ts';
import { applyChange, readBytes } from './apply-file-change.ts';
import type { RetainReplaced } from './apply-file-change.ts';
import { createFileChange, contentEquals } from './change.ts';
import type { FileChange } from './change.ts';
import { mergeChange } from './merge-change.ts';
import type { FileConflict, MergeChangeResult } from './merge-change.ts';
import type { Lease } from './writer-lock.ts';

/** Applies a change. If another program has changed the file, merges both changes if possible. */
export function applyWithMerge(
  root: VaultRoot,
  initial: FileChange,
  temporary: string,
  lease: Lease,
  retain: RetainReplaced,
  staged?: RequestedFileChange,
): FileConflict | null {
  let change = initial;
  const isAppend = staged?.additions !== undefined;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const applied = applyChange(root, change, temporary, () => lease.assertHeld(), retain, isAppend);
    if (applied.kind === 'applied') return null;
    const merged =
      staged?.additions !== undefined
        ? stageAgain(staged, applied.current, keepsBothInsertions(root, change.path))
        : mergeChange(change, applied.current, {
            keepsBothInsertions: keepsBothInsertions(root, change.path),
          });
    if (!merged.ok) return merged.conflict;
    const next = createFileChange(change.path, applied.current, merged.after, change.mode);
    if (next === null) return null;
    change = next;
  }
  return {
    path: change.path,
    reason: 'it keeps changing; retry when the other program has finished',
    conflicts: [],
  };
}

/**
 * Repeats the additions on the text that the other program wrote, because a merge of the two texts cannot tell
 * additions from edits.
 */
function stageAgain(
  staged: RequestedFileChange,
  current: Buffer | null,
  keepsBoth: boolean,
): MergeChangeResult {
  let merged: MergeChangeResult = { ok: true, after: current };
  for (const step of stepsOf(staged, current)) {
    merged =
      step.kind === 'append'
        ? applyAppend(step, merged.after)
        : mergeChange(step, merged.after, { keepsBothInsertions: keepsBoth });
    if (!merged.ok) return merged;
  }
  const { after } = merged;
  return { ok: true, after: after === null ? null : (staged.finalize?.(after, current) ?? after) };
}

function keepsBothInsertions(root: VaultRoot, path: VaultPath): boolean {
  return createLayoutReader(root)().isChangelog(path);
}

/** Whether the file contains the change, even if it was edited since. */
export function containsChange(root: VaultRoot, change: FileChange): boolean {
  const current = readBytes(root, change.path);
  const merged = mergeChange(change, current, {
    keepsBothInsertions: keepsBothInsertions(root, change.path),
  });
  return merged.ok && contentEquals(merged.after, current);
}
