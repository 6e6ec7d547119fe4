import type { VaultSize } from '../contract/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** Permissions: those a file has, or, when it is new, those it had where it comes from; null for the usual ones. */
export type Mode = number | null;

/** What happens to one file, with its bytes before and after. */
export type FileChange =
  | { kind: 'create'; path: VaultPath; after: Buffer; mode: Mode }
  | { kind: 'replace'; path: VaultPath; before: Buffer; after: Buffer; mode: Mode }
  | { kind: 'remove'; path: VaultPath; before: Buffer; mode: Mode };

/** A folder that is made for the files in it, or that goes once it is empty. */
export type FolderChange = { kind: 'make-folder' | 'remove-folder'; path: VaultPath };

export type Change = FileChange | FolderChange;

/** The change from one content to another, null standing for no file; null when there is a file on neither side. */
export function fileChange(
  path: VaultPath,
  before: Buffer | null,
  after: Buffer | null,
  mode: Mode = null,
): FileChange | null {
  if (before === null) return after === null ? null : { kind: 'create', path, after, mode };
  return after === null
    ? { kind: 'remove', path, before, mode }
    : { kind: 'replace', path, before, after, mode };
}

/** The bytes before it; null for a file that is new. */
export function beforeOf(change: FileChange): Buffer | null {
  return change.kind === 'create' ? null : change.before;
}

/** The bytes after it; null for a file that goes. */
export function afterOf(change: FileChange): Buffer | null {
  return change.kind === 'remove' ? null : change.after;
}

export function isFileChange(change: Change): change is FileChange {
  return change.kind !== 'make-folder' && change.kind !== 'remove-folder';
}

/** The change that takes this one back. */
export function inverseOf(change: FileChange): FileChange {
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

/** How much more a vault holds after these changes; less than nothing where they free more than they take. */
export function growthBy(changes: readonly Change[]): VaultSize {
  const growth = { bytes: 0, files: 0 };
  for (const change of changes.filter(isFileChange)) {
    const [before, after] = [beforeOf(change), afterOf(change)];
    growth.bytes += (after?.length ?? 0) - (before?.length ?? 0);
    growth.files += Number(after !== null) - Number(before !== null);
  }
  return growth;
}

/** Whether two contents are the same, null standing for no file. */
export function isEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

/** A folder is empty only once its folders are gone. */
export function deepestFirst(folders: Iterable<VaultPath>): VaultPath[] {
  return [...folders].toSorted((a, b) => b.length - a.length);
}
