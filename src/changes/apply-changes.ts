import { describeError } from '../contract/index.ts';
import { systemCode, VaultError } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import { applyChange, clearUp, readBytes, removeFolder } from './apply.ts';
import { afterOf, beforeOf, deepestFirst, fileChange, inverseOf, isEqual, isFileChange } from './change.ts';
import type { Change, FileChange } from './change.ts';
import type { Journal } from './journal.ts';
import { mergeChange } from './merge-change.ts';
import type { FileConflict } from './merge-change.ts';
import type { Grant } from './writer-lock.ts';

/** Gets a replaced file, still open, and closes it. */
type Keep = (fd: number, content: Buffer) => void;

type Options = {
  keep: (path: VaultPath) => Keep;
  /** Told after each change, for somebody who watches many. */
  onChange?: ((done: number, total: number) => void) | undefined;
};

/** Makes and takes back journaled changes, file by file. */
export type Applier = {
  /** All or nothing: a conflict, or a disk that fails in the middle, takes back what was done so far. */
  apply(id: string, changes: readonly Change[], grant: Grant, options: Options): FileConflict[];
  /** Completes what a crash interrupted, or finds that it was complete. */
  complete(id: string, changes: readonly Change[], grant: Grant, options: Options): void;
};

export function createApplier(root: VaultRoot, journal: Journal): Applier {
  /** Undoes as much of a transaction as was done, as far as files are still as we left them. */
  const takeBack = (id: string, changes: readonly Change[], done: number, grant: Grant): void => {
    for (const [position, change] of changes.slice(0, done).entries()) {
      if (!isFileChange(change)) continue;
      const temporary = temporaryName(id, position);
      clearUp(root, change, temporary);
      applyMerging(root, inverseOf(change), temporary, grant);
    }
    const made = changes.flatMap(({ kind, path }) => (kind === 'make-folder' ? [path] : []));
    for (const folder of deepestFirst(made)) removeFolder(root, folder);
    journal.mark(id, 'reverted');
  };

  const apply: Applier['apply'] = (id, changes, grant, { keep, onChange = () => undefined }) => {
    // Folders come with their files.
    const total = changes.filter(({ kind }) => kind !== 'make-folder').length;
    for (const [position, change] of changes.entries()) {
      try {
        const conflict = applyOne(root, change, temporaryName(id, position), grant, keep);
        if (conflict !== null) {
          takeBack(id, changes, position, grant);
          return [conflict];
        }
        if (change.kind !== 'make-folder') onChange(position + 1, total);
      } catch (cause) {
        if (cause instanceof VaultError && cause.code === 'lost-lock') throw cause;
        throw failedApply(cause, change.path, () => takeBack(id, changes, position + 1, grant));
      }
    }
    // Without the mark, if it is lost, the next start finds out for itself that the files are as wanted.
    journal.markLater(id, 'applied');
    return [];
  };

  return {
    apply,
    complete(id, changes, grant, options) {
      const files = changes.filter(isFileChange);
      for (const [position, change] of changes.entries())
        if (isFileChange(change)) clearUp(root, change, temporaryName(id, position));
      // With no file left as it was, there is nothing to complete: it was applied and only the mark was lost, or other
      // hands have been over all of it since.
      if (files.some((change) => isEqual(readBytes(root, change.path), beforeOf(change))))
        apply(id, changes, grant, options);
      else journal.mark(id, files.some((change) => isContained(root, change)) ? 'applied' : 'reverted');
    },
  };
}

/** Hidden, so that no reader takes it for a note; named by its place in the journal, so that it can be found again. */
export function temporaryName(id: string, position: number): string {
  return `.keepsake-${id}-${position}.tmp`;
}

/** Applies a change, over what somebody else just wrote when the two can be merged. */
export function applyMerging(
  root: VaultRoot,
  wanted: FileChange,
  temporary: string,
  grant: Grant,
  keep?: Keep,
): FileConflict | null {
  let change = wanted;
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const applied = applyChange(root, change, temporary, () => grant.check(), keep);
    if (applied.kind === 'done') return null;
    const merged = mergeChange(change, applied.present);
    const isOvertaken = applied.kind === 'overtaken';
    // Our content is on disk by now, so that is what the next attempt starts from.
    const before = isOvertaken ? afterOf(change) : applied.present;
    if (!merged.ok) {
      const back = isOvertaken ? fileChange(change.path, before, applied.present, change.mode) : null;
      if (back !== null) applyChange(root, back, temporary, () => grant.check());
      return merged.conflict;
    }
    const next = fileChange(change.path, before, merged.after, change.mode);
    if (next === null) return null;
    change = next;
  }
  return {
    path: change.path,
    reason: 'it is being written all the time; try again when that has stopped',
    conflicts: [],
  };
}

export function reasonOf(error: unknown): string {
  return systemCode(error) ?? describeError(error);
}

function applyOne(
  root: VaultRoot,
  change: Change,
  temporary: string,
  grant: Grant,
  keep: Options['keep'],
): FileConflict | null {
  if (isFileChange(change)) return applyMerging(root, change, temporary, grant, keep(change.path));
  // A folder is made with the first file in it.
  if (change.kind === 'remove-folder') removeFolder(root, change.path);
  return null;
}

/** Whether a file has the change in it, whatever else was changed since. */
function isContained(root: VaultRoot, change: FileChange): boolean {
  const present = readBytes(root, change.path);
  const merged = mergeChange(change, present);
  return merged.ok && isEqual(merged.after, present);
}

/** The error to throw when applying failed: after everything was taken back, or when not even that worked. */
function failedApply(cause: unknown, path: VaultPath, takeBack: () => void): VaultError {
  const problem = `${path} cannot be written (${reasonOf(cause)})`;
  try {
    takeBack();
    return new VaultError('io', `${problem}; nothing was changed`, { cause });
  } catch {
    return new VaultError(
      'unfinished',
      `${problem}; the change is completed as soon as Keepsake can write again`,
      { cause },
    );
  }
}
