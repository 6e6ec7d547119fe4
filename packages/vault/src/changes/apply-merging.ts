import { layoutReader } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { applyAppend, stepsOf } from './append-step.ts';
import type { WantedFile } from './append-step.ts';
import { applyChange, readBytes } from './apply.ts';
import type { Keep } from './apply.ts';
import { fileChange, isEqual } from './change.ts';
import type { FileChange } from './change.ts';
import { mergeChange } from './merge-change.ts';
import type { FileConflict, MergedChange } from './merge-change.ts';
import type { Grant } from './writer-lock.ts';

/** Applies a change, over what somebody else just wrote when the two can be merged. */
export function applyMerging(
  root: VaultRoot,
  wanted: FileChange,
  temporary: string,
  grant: Grant,
  keep: Keep,
  staged?: WantedFile,
): FileConflict | null {
  let change = wanted;
  const isAppend = staged?.additions !== undefined;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const applied = applyChange(root, change, temporary, () => grant.check(), keep, isAppend);
    if (applied.kind === 'done') return null;
    const merged =
      staged?.additions !== undefined
        ? stageAgain(staged, applied.present, stacks(root, change.path))
        : mergeChange(change, applied.present, { stacks: stacks(root, change.path) });
    if (!merged.ok) return merged.conflict;
    const next = fileChange(change.path, applied.present, merged.after, change.mode);
    if (next === null) return null;
    change = next;
  }
  return {
    path: change.path,
    reason: 'it is being written all the time; try again when that has stopped',
    conflicts: [],
  };
}

/** Additions are repeated over what the other program wrote, which the merge of two contents cannot tell from edits. */
function stageAgain(staged: WantedFile, present: Buffer | null, isStacked: boolean): MergedChange {
  let merged: MergedChange = { ok: true, after: present };
  for (const step of stepsOf(staged, present)) {
    merged =
      step.kind === 'append'
        ? applyAppend(step, merged.after)
        : mergeChange(step, merged.after, { stacks: isStacked });
    if (!merged.ok) return merged;
  }
  const { after } = merged;
  return { ok: true, after: after === null ? null : (staged.finish?.(after, present) ?? after) };
}

function stacks(root: VaultRoot, path: VaultPath): boolean {
  return layoutReader(root)().isChangelog(path);
}

/** Whether a file has the change in it, whatever else was changed since. */
export function isContained(root: VaultRoot, change: FileChange): boolean {
  const present = readBytes(root, change.path);
  const merged = mergeChange(change, present, { stacks: stacks(root, change.path) });
  return merged.ok && isEqual(merged.after, present);
}
