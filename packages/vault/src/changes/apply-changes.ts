import { describeError } from '../contract/index.ts';
import { errorCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { RequestedFileChange } from './append-step.ts';
import { applyWithMerge, containsChange } from './apply-with-merge.ts';
import {
  removeTemporary,
  withOpenFile,
  readBytes,
  removeEmptyFolder,
  findConcurrentSave,
} from './apply-file-change.ts';
import type { RetainReplaced } from './apply-file-change.ts';
import { contentBefore, sortDeepestFirst, invertChange, contentEquals, isFileChange } from './change.ts';
import type { Change, FileChange } from './change.ts';
import type { FileConflict } from './merge-change.ts';
import type { TransactionStates } from './transaction-states.ts';
import type { Lease } from './writer-lock.ts';

/** Called after each change, to report progress. */
type OnChange = (done: number, total: number) => void;

type ApplyOptions = {
  /** The staged changes of the transaction; unknown when a journaled change is finished after a crash. */
  requested?: ReadonlyMap<VaultPath, RequestedFileChange>;
  onChange?: OnChange | undefined;
};

/** Applies and rolls back journaled changes, file by file. */
export type Applier = {
  /** Applies all changes or none: a conflict or an I/O error rolls back the changes made so far. Returns the conflicts. */
  apply(id: string, changes: readonly Change[], lease: Lease, options?: ApplyOptions): FileConflict[];
  /** Finishes a transaction that a crash interrupted, or detects that it was already applied. */
  finish(id: string, changes: readonly Change[], lease: Lease): void;
  /**
   * Whether temporary files of a finished transaction still exist beside these files: a power loss can bring back files
   * whose removal was not yet synced.
   */
  hasLeftovers(id: string, paths: readonly VaultPath[]): boolean;
  /** Removes the temporary files that `hasLeftovers` looks for. */
  removeLeftovers(id: string, changes: readonly Change[], lease: Lease): void;
};

/**
 * Only the last files of a transaction are checked: applying each later file has also synced the folders of the earlier
 * ones.
 */
const maxLeftoverChecks = 100;

type Dependencies = {
  root: VaultRoot;
  journal: TransactionStates;
  retain: (path: VaultPath) => RetainReplaced;
};

/** A journaled transaction, and the lease under which it is applied. */
type Journaled = { id: string; changes: readonly Change[]; lease: Lease };

export function createApplier(
  root: VaultRoot,
  journal: TransactionStates,
  retain: (path: VaultPath) => RetainReplaced,
): Applier {
  const dependencies = { root, journal, retain };
  return {
    apply: (id, changes, lease, options) => applyAll(dependencies, { id, changes, lease }, options),
    hasLeftovers: (id, paths) =>
      paths.some((path, position) => {
        if (position < paths.length - maxLeftoverChecks) return false;
        const names = [temporaryName(id, position), temporaryName(id, position, 'rollback')];
        return names.some((name) => withOpenFile(root, path, name, () => true) === true);
      }),
    removeLeftovers: (id, changes, lease) => removeLeftovers(dependencies, { id, changes, lease }),
    finish(id, changes, lease) {
      const files = changes.filter(isFileChange);
      removeLeftovers(dependencies, { id, changes, lease });
      // When no file has its old content, there is nothing to finish: the transaction was applied and only its state was
      // lost, or other programs have changed all of its files since.
      if (files.some((change) => contentEquals(readBytes(root, change.path), contentBefore(change))))
        applyAll(dependencies, { id, changes, lease });
      else if (files.some((change) => containsChange(root, change))) journal.setStateLazily(id, 'applied');
      else journal.setState(id, 'reverted');
    },
  };
}

/** Returns the conflicts, after rolling back all changes made so far. */
function applyAll(
  dependencies: Dependencies,
  journaled: Journaled,
  { requested, onChange = () => undefined }: ApplyOptions = {},
): FileConflict[] {
  const { id, changes } = journaled;
  // Folders are created together with their files.
  const total = changes.filter(({ kind }) => kind !== 'make-folder').length;
  for (const [position, change] of changes.entries()) {
    try {
      const conflict = applyOne(dependencies, journaled, position, change, requested?.get(change.path));
      if (conflict !== null) {
        rollBack(dependencies, journaled, position);
        return [conflict];
      }
      if (change.kind !== 'make-folder') onChange(position + 1, total);
    } catch (cause) {
      if (isLockLost(cause)) throw cause;
      throw createApplyError(dependencies, journaled, position, cause);
    }
  }
  // If this state is lost in a crash, the next start derives it from the files.
  dependencies.journal.setStateLazily(id, 'applied');
  return [];
}

function applyOne(
  { root, retain }: Dependencies,
  { id, lease }: Journaled,
  position: number,
  change: Change,
  request: RequestedFileChange | undefined,
): FileConflict | null {
  if (isFileChange(change))
    return applyWithMerge(root, change, temporaryName(id, position), lease, retain(change.path), request);
  // A folder is created with the first file in it.
  if (change.kind === 'remove-folder') removeEmptyFolder(root, change.path);
  return null;
}

/** Reverts the first `done` changes of a transaction, in files that have not been changed since. */
function rollBack(dependencies: Dependencies, { id, changes, lease }: Journaled, done: number): void {
  const { root, journal, retain } = dependencies;
  for (const [position, change] of changes.slice(0, done).entries()) {
    if (!isFileChange(change)) continue;
    lease.assertHeld();
    removeLeftoversOf(dependencies, id, position, change);
    const temporary = temporaryName(id, position, 'rollback');
    applyWithMerge(root, invertChange(change), temporary, lease, retain(change.path));
  }
  const createdFolders = changes.flatMap(({ kind, path }) => (kind === 'make-folder' ? [path] : []));
  for (const folder of sortDeepestFirst(createdFolders)) removeEmptyFolder(root, folder);
  journal.setState(id, 'reverted');
}

/** The error to throw when applying failed; it says whether the rollback succeeded. */
function createApplyError(
  dependencies: Dependencies,
  journaled: Journaled,
  position: number,
  cause: unknown,
): VaultError {
  const { id, changes } = journaled;
  const problem = `${changes[position]?.path} cannot be written (${describeCause(cause)})`;
  try {
    rollBack(dependencies, journaled, position + 1);
    return new VaultError('io', `${problem}; nothing was changed`, { cause });
  } catch (error) {
    if (isLockLost(error)) return error;
    const saved = listConcurrentSaves(dependencies.root, id, changes.slice(0, position + 1));
    const where =
      saved.length === 0
        ? ''
        : `; until then, text that was saved there in the meantime is in ${saved.join(', ')}`;
    return new VaultError(
      'unfinished',
      `${problem}; Keepsake finishes the change as soon as it can write again${where}`,
      { cause },
    );
  }
}

function removeLeftovers(dependencies: Dependencies, { id, changes, lease }: Journaled): void {
  for (const [position, change] of changes.entries()) {
    if (!isFileChange(change)) continue;
    lease.assertHeld();
    removeLeftoversOf(dependencies, id, position, change);
  }
}

/**
 * Removes the temporary files that applying and rolling back a change have left behind. For those of the rollback, the
 * change is inverted, because a concurrent save is recognized by comparing it with the content before and after.
 */
function removeLeftoversOf(
  { root, retain }: Dependencies,
  id: string,
  position: number,
  change: FileChange,
): void {
  removeTemporary(root, change, temporaryName(id, position), retain(change.path));
  removeTemporary(root, invertChange(change), temporaryName(id, position, 'rollback'), retain(change.path));
}

/**
 * The name is hidden, so that readers do not take it for a note, and derived from the position in the journal, so that it
 * can be found again after a crash.
 */
function temporaryName(id: string, position: number, direction: 'apply' | 'rollback' = 'apply'): string {
  return `.keepsake-${id}-${position}${direction === 'rollback' ? '-back' : ''}.tmp`;
}

export function describeCause(error: unknown): string {
  return error instanceof VaultError ? error.message : (errorCode(error) ?? describeError(error));
}

/** The process that took over the lock finishes the change; this one must not touch it any more. */
function isLockLost(error: unknown): error is VaultError {
  return error instanceof VaultError && error.code === 'lost-lock';
}

/** Lists the temporary files with concurrent saves that could not be moved back into place. */
function listConcurrentSaves(root: VaultRoot, id: string, changes: readonly Change[]): string[] {
  return changes.flatMap((change, position) => {
    if (!isFileChange(change)) return [];
    return (['apply', 'rollback'] as const).flatMap((direction) => {
      try {
        return findConcurrentSave(root, change, temporaryName(id, position, direction)) ?? [];
      } catch {
        return [];
      }
    });
  });
}
