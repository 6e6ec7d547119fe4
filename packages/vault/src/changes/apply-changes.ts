import { describeError } from '../contract/index.ts';
import { systemCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { WantedFile } from './append-step.ts';
import { applyMerging, isContained } from './apply-merging.ts';
import { clearUp, lookInto, readBytes, removeFolder, savedAside } from './apply.ts';
import type { Keep } from './apply.ts';
import { beforeOf, deepestFirst, inverseOf, isEqual, isFileChange } from './change.ts';
import type { Change, FileChange } from './change.ts';
import type { FileConflict } from './merge-change.ts';
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

type Parts = { root: VaultRoot; journal: TransactionStates; keep: (path: VaultPath) => Keep };

/** A transaction of the journal, made by whoever has the grant. */
type Journaled = { id: string; changes: readonly Change[]; grant: Grant };

export function createApplier(
  root: VaultRoot,
  journal: TransactionStates,
  keep: (path: VaultPath) => Keep,
): Applier {
  const parts = { root, journal, keep };
  return {
    apply: (id, changes, grant, options) => applyAll(parts, { id, changes, grant }, options),
    isLeft: (id, paths) =>
      paths.some((path, position) => {
        if (position < paths.length - mostLeft) return false;
        const names = [temporaryName(id, position), temporaryName(id, position, 'back')];
        return names.some((name) => lookInto(root, path, name, () => true) === true);
      }),
    clear: (id, changes, grant) => clear(parts, { id, changes, grant }),
    complete(id, changes, grant) {
      const files = changes.filter(isFileChange);
      clear(parts, { id, changes, grant });
      // With no file left as it was, there is nothing to complete: it was applied and only the mark was lost, or other
      // hands have been over all of it since.
      if (files.some((change) => isEqual(readBytes(root, change.path), beforeOf(change))))
        applyAll(parts, { id, changes, grant });
      else if (files.some((change) => isContained(root, change))) journal.markLater(id, 'applied');
      else journal.mark(id, 'reverted');
    },
  };
}

/** All or nothing: gives what conflicts, after everything that was done was taken back. */
function applyAll(
  parts: Parts,
  journaled: Journaled,
  { wanted, onChange = () => undefined }: ApplyOptions = {},
): FileConflict[] {
  const { id, changes } = journaled;
  // Folders come with their files.
  const total = changes.filter(({ kind }) => kind !== 'make-folder').length;
  for (const [position, change] of changes.entries()) {
    try {
      const conflict = applyOne(parts, journaled, position, change, wanted?.get(change.path));
      if (conflict !== null) {
        takeBack(parts, journaled, position);
        return [conflict];
      }
      if (change.kind !== 'make-folder') onChange(position + 1, total);
    } catch (cause) {
      if (isLostLock(cause)) throw cause;
      throw failedApply(parts, journaled, position, cause);
    }
  }
  // Without the mark, if it is lost, the next start finds out for itself that the files are as wanted.
  parts.journal.markLater(id, 'applied');
  return [];
}

function applyOne(
  { root, keep }: Parts,
  { id, grant }: Journaled,
  position: number,
  change: Change,
  want: WantedFile | undefined,
): FileConflict | null {
  if (isFileChange(change))
    return applyMerging(root, change, temporaryName(id, position), grant, keep(change.path), want);
  // A folder is made with the first file in it.
  if (change.kind === 'remove-folder') removeFolder(root, change.path);
  return null;
}

/** Undoes as much of a transaction as was done, as far as files are still as we left them. */
function takeBack(parts: Parts, { id, changes, grant }: Journaled, done: number): void {
  const { root, journal, keep } = parts;
  for (const [position, change] of changes.slice(0, done).entries()) {
    if (!isFileChange(change)) continue;
    grant.check();
    clearUpBoth(parts, id, position, change);
    const temporary = temporaryName(id, position, 'back');
    applyMerging(root, inverseOf(change), temporary, grant, keep(change.path));
  }
  const made = changes.flatMap(({ kind, path }) => (kind === 'make-folder' ? [path] : []));
  for (const folder of deepestFirst(made)) removeFolder(root, folder);
  journal.mark(id, 'reverted');
}

/** The error to throw when applying failed: after everything was taken back, or when not even that worked. */
function failedApply(parts: Parts, journaled: Journaled, position: number, cause: unknown): VaultError {
  const { id, changes } = journaled;
  const problem = `${changes[position]?.path} cannot be written (${reasonOf(cause)})`;
  try {
    takeBack(parts, journaled, position + 1);
    return new VaultError('io', `${problem}; nothing was changed`, { cause });
  } catch (error) {
    if (isLostLock(error)) return error;
    const saved = savedAsides(parts.root, id, changes.slice(0, position + 1));
    const where =
      saved.length === 0 ? '' : `; what was saved there meanwhile lies in ${saved.join(', ')} until then`;
    return new VaultError(
      'unfinished',
      `${problem}; the change is completed as soon as Keepsake can write again${where}`,
      { cause },
    );
  }
}

function clear(parts: Parts, { id, changes, grant }: Journaled): void {
  for (const [position, change] of changes.entries()) {
    if (!isFileChange(change)) continue;
    grant.check();
    clearUpBoth(parts, id, position, change);
  }
}

/** Which of two contents a person saved over can be told only for the direction in which files were exchanged. */
function clearUpBoth({ root, keep }: Parts, id: string, position: number, change: FileChange): void {
  clearUp(root, change, temporaryName(id, position), keep(change.path));
  clearUp(root, inverseOf(change), temporaryName(id, position, 'back'), keep(change.path));
}

/** Hidden, so that no reader takes it for a note; named by its place in the journal, so that it can be found again. */
function temporaryName(id: string, position: number, direction: 'forth' | 'back' = 'forth'): string {
  return `.keepsake-${id}-${position}${direction === 'back' ? '-back' : ''}.tmp`;
}

export function reasonOf(error: unknown): string {
  return systemCode(error) ?? describeError(error);
}

/** Whoever took over completes the change: nothing of it is ours any more. */
function isLostLock(error: unknown): error is VaultError {
  return error instanceof VaultError && error.code === 'lost-lock';
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
