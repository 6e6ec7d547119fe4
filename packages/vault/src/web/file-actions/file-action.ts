import type { Status } from '../api/client.ts';
import type { ForgetTarget } from '../api/forget-api.ts';
import type { Tree } from '../tree/build-tree.ts';

/** The file action that is open. `menu` is the menu of actions; `at` is its position on the page. */
export type FileAction =
  | { kind: 'menu'; path: string; at: { x: number; y: number } }
  | { kind: 'create'; folder: string }
  | { kind: 'rename' | 'move'; path: string }
  | { kind: 'delete'; path: string }
  /** `file` is the archive, if it is chosen already. */
  | { kind: 'import'; file: File | null }
  | { kind: 'forget'; target: ForgetTarget };

/** An action for which a path is entered. */
export type PathAction = Extract<FileAction, { kind: 'create' | 'rename' | 'move' }>;

/** Why a path is invalid. The server checks it again and may reject more. */
export type PathError = 'empty' | 'hidden' | 'characters' | 'exists' | 'inside';

export function parentFolder(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is `folder` itself or inside it. */
export function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

/** The path after moving `from` to `to`. Unchanged if it is not inside `from`. */
export function rebasePath(path: string, from: string, to: string): string {
  return isInside(path, from) ? `${to}${path.slice(from.length)}` : path;
}

/**
 * The path that the text typed into the dialog stands for. The extension is optional, and the text may start with a
 * folder.
 */
export function resolveTarget(fileAction: PathAction, typed: string): string {
  const name = typed
    .trim()
    .replace(/^vault\//, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
  switch (fileAction.kind) {
    case 'create':
      return name === '' ? '' : join(fileAction.folder, withExtension(name));
    case 'rename':
      return name === '' ? '' : join(parentFolder(fileAction.path), keepExtension(name, fileAction.path));
    case 'move':
      return join(name, baseName(fileAction.path));
  }
}

export function validatePath(target: string, tree: Tree, from: string | null): PathError | null {
  const parts = target.split('/');
  if (target === '') return 'empty';
  if (parts.some((part) => part.startsWith('.'))) return 'hidden';
  if (parts.some((part) => /[<>:"|?*\\]|\p{Cc}|[. ]$/u.test(part))) return 'characters';
  if (from !== null && target !== from && isInside(target, from)) return 'inside';
  return target !== from && tree.byPath.has(target) ? 'exists' : null;
}

/** Whether every vault needs this path, so that it cannot be moved or deleted. */
export function isRequiredPath(path: string, layout: Status['layout'] | undefined): boolean {
  const { overview, changelog, tasks, projects, inbox = 'inbox' } = layout ?? {};
  return ['', 'profile.md', 'tree.md', 'bucket', inbox, overview, changelog, tasks, projects].includes(path);
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function withExtension(name: string): string {
  return /\.(?:md|markdown)$/i.test(name) ? name : `${name}.md`;
}

/** Adds the previous extension if the user left it out. */
function keepExtension(name: string, before: string): string {
  const [ending = ''] = /\.[^./]+$/.exec(baseName(before)) ?? [];
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : `${name}${ending}`;
}
