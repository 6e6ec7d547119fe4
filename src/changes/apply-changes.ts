import { describeError } from '../contract/index.ts';
import { layoutReader, systemCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { applyAppend, stepsOf } from './append-step.ts';
import type { WantedFile } from './append-step.ts';
import { applyChange, clearUp, lookInto, readBytes, removeFolder, savedAside } from './apply.ts';
import type { Keep } from './apply.ts';
import { beforeOf, deepestFirst, fileChange, inverseOf, isEqual, isFileChange } from './change.ts';
import type { Change, FileChange } from './change.ts';
import { mergeChange } from './merge-change.ts';
import type { FileConflict, MergedChange } from './merge-change.ts';
import type { TransactionStates } from './transaction-states.ts';
import type { Grant } from './writer-lock.ts';

/** Told after each change, for somebody who watches many. */
type OnChange = (done: number, total: number) => void;

type ApplyOptions = {
  /** What the transaction staged; unknown when a journaled change is completed after a crash. */
  wanted?: ReadonlyMap<VaultPath, WantedFile>;
  onChange?: OnChange | undefined;
};

/** Makes and takes back journaled changes, file by file. */
export type Applier = {
  /** All or nothing: a conflict, or a disk that fails in the middle, takes back what was done so far. */
  apply(id: string, changes: readonly Change[], grant: Grant, options?: ApplyOptions): FileConflict[];
  /** Completes what a crash interrupted, or finds that it was complete. */
  complete(id: string, changes: readonly Change[], grant: Grant): void;
  /** Whether something lies beside these files, of a transaction that is over, that was removed but not yet for good. */
  isLeft(id: string, paths: readonly VaultPath[]): boolean;
  /** Removes that. */
  clear(id: string, changes: readonly Change[], grant: Grant): void;
};

/** So many of the last files of a transaction: whatever came after one of them has also seen to its folder on the disk. */
const mostLeft = 100;

export function createApplier(
  root: VaultRoot,
  journal: TransactionStates,
  keep: (path: VaultPath) => Keep,
): Applier {
  /** Which of two contents a person saved over can be told only for the direction in which files were exchanged. */
  const clearUpBoth = (id: string, position: number, change: FileChange): void => {
    clearUp(root, change, temporaryName(id, position), keep(change.path));
    clearUp(root, inverseOf(change), temporaryName(id, position, 'back'), keep(change.path));
  };

  /** Undoes as much of a transaction as was done, as far as files are still as we left them. */
  const takeBack = (id: string, changes: readonly Change[], done: number, grant: Grant): void => {
    for (const [position, change] of changes.slice(0, done).entries()) {
      if (!isFileChange(change)) continue;
      grant.check();
      clearUpBoth(id, position, change);
      const temporary = temporaryName(id, position, 'back');
      applyMerging(root, inverseOf(change), temporary, grant, keep(change.path));
    }
    const made = changes.flatMap(({ kind, path }) => (kind === 'make-folder' ? [path] : []));
    for (const folder of deepestFirst(made)) removeFolder(root, folder);
    journal.mark(id, 'reverted');
  };

  const applyOne = (
    id: string,
    position: number,
    change: Change,
    grant: Grant,
    want?: WantedFile,
  ): FileConflict | null => {
    if (isFileChange(change))
      return applyMerging(root, change, temporaryName(id, position), grant, keep(change.path), want);
    // A folder is made with the first file in it.
    if (change.kind === 'remove-folder') removeFolder(root, change.path);
    return null;
  };

  /** The error to throw when applying failed: after everything was taken back, or when not even that worked. */
  const failedApply = (
    cause: unknown,
    id: string,
    changes: readonly Change[],
    position: number,
    grant: Grant,
  ): VaultError => {
    const problem = `${changes[position]?.path} cannot be written (${reasonOf(cause)})`;
    try {
      takeBack(id, changes, position + 1, grant);
      return new VaultError('io', `${problem}; nothing was changed`, { cause });
    } catch (error) {
      if (isLostLock(error)) return error;
      const saved = savedAsides(root, id, changes.slice(0, position + 1));
      const where =
        saved.length === 0 ? '' : `; what was saved there meanwhile lies in ${saved.join(', ')} until then`;
      return new VaultError(
        'unfinished',
        `${problem}; the change is completed as soon as Keepsake can write again${where}`,
        { cause },
      );
    }
  };

  const apply: Applier['apply'] = (id, changes, grant, { wanted, onChange = () => undefined } = {}) => {
    // Folders come with their files.
    const total = changes.filter(({ kind }) => kind !== 'make-folder').length;
    for (const [position, change] of changes.entries()) {
      try {
        const conflict = applyOne(id, position, change, grant, wanted?.get(change.path));
        if (conflict !== null) {
          takeBack(id, changes, position, grant);
          return [conflict];
        }
        if (change.kind !== 'make-folder') onChange(position + 1, total);
      } catch (cause) {
        if (isLostLock(cause)) throw cause;
        throw failedApply(cause, id, changes, position, grant);
      }
    }
    // Without the mark, if it is lost, the next start finds out for itself that the files are as wanted.
    journal.markLater(id, 'applied');
    return [];
  };

  const clear: Applier['clear'] = (id, changes, grant) => {
    for (const [position, change] of changes.entries()) {
      if (!isFileChange(change)) continue;
      grant.check();
      clearUpBoth(id, position, change);
    }
  };

  return {
    apply,
    isLeft: (id, paths) =>
      paths.some((path, position) => {
        if (position < paths.length - mostLeft) return false;
        const names = [temporaryName(id, position), temporaryName(id, position, 'back')];
        return names.some((name) => lookInto(root, path, name, () => true) === true);
      }),
    clear,
    complete(id, changes, grant) {
      const files = changes.filter(isFileChange);
      clear(id, changes, grant);
      // With no file left as it was, there is nothing to complete: it was applied and only the mark was lost, or other
      // hands have been over all of it since.
      if (files.some((change) => isEqual(readBytes(root, change.path), beforeOf(change))))
        apply(id, changes, grant);
      else if (files.some((change) => isContained(root, change))) journal.markLater(id, 'applied');
      else journal.mark(id, 'reverted');
    },
  };
}

/** Hidden, so that no reader takes it for a note; named by its place in the journal, so that it can be found again. */
function temporaryName(id: string, position: number, direction: 'forth' | 'back' = 'forth'): string {
  return `.keepsake-${id}-${position}${direction === 'back' ? '-back' : ''}.tmp`;
}

/** Applies a change, over what somebody else just wrote when the two can be merged. */
function applyMerging(
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

export function reasonOf(error: unknown): string {
  return systemCode(error) ?? describeError(error);
}

/** Whoever took over completes the change: nothing of it is ours any more. */
function isLostLock(error: unknown): error is VaultError {
  return error instanceof VaultError && error.code === 'lost-lock';
}

/** Whether a file has the change in it, whatever else was changed since. */
function isContained(root: VaultRoot, change: FileChange): boolean {
  const present = readBytes(root, change.path);
  const merged = mergeChange(change, present, { stacks: stacks(root, change.path) });
  return merged.ok && isEqual(merged.after, present);
}

/** Where what somebody saved lies that could not go back to its place. */
function savedAsides(root: VaultRoot, id: string, changes: readonly Change[]): string[] {
  return changes.flatMap((change, position) => {
    if (!isFileChange(change)) return [];
    return (['forth', 'back'] as const).flatMap((direction) => {
      try {
        return savedAside(root, change, temporaryName(id, position, direction)) ?? [];
      } catch {
        return [];
      }
    });
  });
}
