import type { VaultSize } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** File permissions; of a moved file, those at its old path. Null: default permissions. */
export type FilePermissions = number | null;

/** A change of one file, with its bytes before and after. */
export type FileChange =
  | { kind: 'create'; path: VaultPath; after: Buffer; mode: FilePermissions }
  | { kind: 'replace'; path: VaultPath; before: Buffer; after: Buffer; mode: FilePermissions }
  | { kind: 'remove'; path: VaultPath; before: Buffer; mode: FilePermissions };

/** A folder that is created for its files, or removed once it is empty. */
export type FolderChange = { kind: 'make-folder' | 'remove-folder'; path: VaultPath };

export type Change = FileChange | FolderChange;

/**
 * Builds the change from the old to the new content of a file, where null means that there is no file. Returns null if
 * both are null.
 */
export function createFileChange(
  path: VaultPath,
  before: Buffer | null,
  after: Buffer | null,
  mode: FilePermissions = null,
): FileChange | null {
  if (before === null) return after === null ? null : { kind: 'create', path, after, mode };
  return after === null
    ? { kind: 'remove', path, before, mode }
    : { kind: 'replace', path, before, after, mode };
}

/** The content before the change; null for a new file. */
export function contentBefore(change: FileChange): Buffer | null {
  return change.kind === 'create' ? null : change.before;
}

/** The content after the change; null for a deleted file. */
export function contentAfter(change: FileChange): Buffer | null {
  return change.kind === 'remove' ? null : change.after;
}

export function isFileChange(change: Change): change is FileChange {
  return change.kind !== 'make-folder' && change.kind !== 'remove-folder';
}

/** Builds the change that reverts this one. */
export function invertChange(change: FileChange): FileChange {
  const { path, mode } = change;
  switch (change.kind) {
    case 'create':
      return { kind: 'remove', path, before: change.after, mode };
    case 'replace':
      return { kind: 'replace', path, before: change.after, after: change.before, mode };
    case 'remove':
      return { kind: 'create', path, after: change.before, mode };
  }
}

/** How much the vault grows with these changes; negative when it shrinks. */
export function computeSizeDelta(changes: readonly Change[]): VaultSize {
  const growth = { bytes: 0, files: 0 };
  for (const change of changes.filter(isFileChange)) {
    const [before, after] = [contentBefore(change), contentAfter(change)];
    growth.bytes += (after?.length ?? 0) - (before?.length ?? 0);
    growth.files += Number(after !== null) - Number(before !== null);
  }
  return growth;
}

/** Whether two files have the same content; null stands for a file that does not exist. */
export function contentEquals(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** Sorts folders so that each comes after its subfolders, as removing them requires. */
export function sortDeepestFirst(folders: Iterable<VaultPath>): VaultPath[] {
  return [...folders].toSorted((a, b) => b.length - a.length);
}
