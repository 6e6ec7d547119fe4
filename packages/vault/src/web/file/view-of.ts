import type { FileText } from '../api/files-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import type { TreeNode } from '../tree/build-tree.ts';

/** How the user wants to see a file. */
export type FileMode = 'rendered' | 'source' | 'edit' | 'history';

type FileState = {
  /** Empty for the vault itself. */
  path: string;
  /** Undefined while the tree is not loaded, and for a path that is not in it. */
  node: TreeNode | undefined;
  /** The file as last read. It stays available if a later request fails. */
  file: FileText | undefined;
  /** The error of the last request for the file. */
  error: Error | null;
  mode: FileMode;
  /** The number of characters of the note without its frontmatter. */
  bodyLength: number;
};

/** What the page of a path shows. */
export type FileView =
  | { kind: 'folder'; node: TreeNode }
  /** The tree has to be loaded first. */
  | { kind: 'tree-loading' }
  /** Only the header is shown: the file is loading, could not be loaded, or was deleted while its source was shown. */
  | { kind: 'empty' }
  | { kind: 'missing' }
  | { kind: 'history' }
  | { kind: 'edit'; file: FileText }
  /** A file that is not text. */
  | { kind: 'document'; file: FileText; isText: boolean }
  | { kind: 'source'; isTooLong: boolean }
  | { kind: 'rendered' };

/** Rendering a longer note would take too much memory. */
export const maxRenderedLength = 4_000_000;

/** The base version for editing a file that does not exist yet. */
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
  if (!isTextFile(file, error)) return { kind: 'document', file, isText: mode === 'source' };
  if (mode === 'edit') return { kind: 'edit', file };
  if (mode === 'source') return { kind: 'source', isTooLong: false };
  return bodyLength > maxRenderedLength ? { kind: 'source', isTooLong: true } : { kind: 'rendered' };
}

/** Whether the file can be edited and has a source view. */
export function isTextFile(file: FileText | undefined, error: Error | null): boolean {
  return !isMissing(error) && file?.mediaType.startsWith('text/') === true;
}

export function isPdf(path: string): boolean {
  return /\.pdf$/i.test(path);
}

/** The view of a file that the user has not chosen: the cited lines of a PDF are in its text. */
export function initialMode(path: string, hasRange: boolean): FileMode {
  return hasRange && isPdf(path) ? 'source' : 'rendered';
}

export function isMissing(error: Error | null): boolean {
  return hasErrorCode(error, 'no-such-file');
}
