import type { FileText } from '../api/files-api.ts';
import { isCode } from '../api/problem.ts';
import type { TreeNode } from '../tree/build-tree.ts';

/** How the user wants to see a file. */
export type FileMode = 'rendered' | 'source' | 'edit' | 'history';

type FileState = {
  /** Empty for the vault itself. */
  path: string;
  /** Undefined while the tree is not loaded, and for a path that is not in it. */
  node: TreeNode | undefined;
  /** As it was last read. It stays when a later request fails. */
  file: FileText | undefined;
  /** Of the last request for the file. */
  error: Error | null;
  mode: FileMode;
  /** Characters of the note without its frontmatter. */
  bodyLength: number;
};

/** What the page of a path shows. */
export type FileView =
  | { kind: 'folder'; node: TreeNode }
  /** The tree has to be loaded first. */
  | { kind: 'tree-loading' }
  /** The header alone: the file is not loaded, could not be, or was deleted while its source was shown. */
  | { kind: 'empty' }
  | { kind: 'missing' }
  | { kind: 'history' }
  | { kind: 'edit'; file: FileText }
  /** A file that is not text. */
  | { kind: 'document'; file: FileText }
  | { kind: 'source'; isTooLong: boolean }
  | { kind: 'rendered' };

/** A longer note would take too much memory as a page. */
export const maxRenderedLength = 4_000_000;

/** What a file that does not exist is edited from. */
const absent: FileText = { text: '', etag: '', mediaType: 'text/markdown' };

export function viewOf({ path, node, file, error, mode, bodyLength }: FileState): FileView {
  if (node?.isFolder === true) return { kind: 'folder', node };
  if (path === '') return { kind: 'tree-loading' };
  if (mode === 'history') return { kind: 'history' };
  if (isMissing(error)) {
    if (mode === 'edit') return { kind: 'edit', file: absent };
    return { kind: mode === 'rendered' ? 'missing' : 'empty' };
  }
  if (file === undefined) return { kind: 'empty' };
  if (!isTextFile(file, error)) return { kind: 'document', file };
  if (mode === 'edit') return { kind: 'edit', file };
  if (mode === 'source') return { kind: 'source', isTooLong: false };
  return bodyLength > maxRenderedLength ? { kind: 'source', isTooLong: true } : { kind: 'rendered' };
}

/** Whether it can be edited, and shown as its source. */
export function isTextFile(file: FileText | undefined, error: Error | null): boolean {
  return !isMissing(error) && file?.mediaType.startsWith('text/') === true;
}

export function isMissing(error: Error | null): boolean {
  return isCode(error, 'no-such-file');
}
