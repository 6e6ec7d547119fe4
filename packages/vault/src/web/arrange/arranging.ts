import type { Status } from '../api/client.ts';
import type { Tree } from '../tree/build-tree.ts';

/** What is being done about where a file or folder is; the menu is for choosing. `at` is where on the page it opens. */
export type Arranging =
  | { kind: 'menu'; path: string; at: { x: number; y: number } }
  | { kind: 'create'; folder: string }
  | { kind: 'rename' | 'move'; path: string }
  | { kind: 'delete'; path: string };

/** Why a name cannot be had; the server, which knows more, has the last word. */
export type NameProblem = 'empty' | 'hidden' | 'characters' | 'exists' | 'inside';

export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether `path` is that file, or in that folder. */
export function isWithin(path: string, folder: string): boolean {
  return `${path}/`.startsWith(`${folder}/`);
}

/** Where it is after a move of what it is, or lies in. */
export function follow(path: string, from: string, to: string): string {
  return isWithin(path, from) ? `${to}${path.slice(from.length)}` : path;
}

/** What is typed in the dialog, as a path: a note needs no ending, and a folder may be named in front of it. */
export function targetOf(arranging: Exclude<Arranging, { kind: 'menu' | 'delete' }>, typed: string): string {
  const name = typed
    .trim()
    .replace(/^vault\//, '')
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/');
  switch (arranging.kind) {
    case 'create':
      return name === '' ? '' : join(arranging.folder, withEnding(name));
    case 'rename':
      return name === '' ? '' : join(parentOf(arranging.path), keepEnding(name, arranging.path));
    case 'move':
      return join(name, nameIn(arranging.path));
  }
}

export function problemWith(target: string, tree: Tree, from: string | null): NameProblem | null {
  const parts = target.split('/');
  if (target === '') return 'empty';
  if (parts.some((part) => part.startsWith('.'))) return 'hidden';
  if (parts.some((part) => /[<>:"|?*\\]|\p{Cc}|[. ]$/u.test(part))) return 'characters';
  if (from !== null && target !== from && isWithin(target, from)) return 'inside';
  return target !== from && tree.byPath.has(target) ? 'exists' : null;
}

/** What every vault has stays where it is. */
export function isFixed(path: string, layout: Status['layout'] | undefined): boolean {
  const { overview, changelog, tasks, projects } = layout ?? {};
  return ['', 'profile.md', 'tree.md', 'inbox', 'bucket', overview, changelog, tasks, projects].includes(
    path,
  );
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function withEnding(name: string): string {
  return /\.(?:md|markdown)$/i.test(name) ? name : `${name}.md`;
}

/** A note stays a note, also when only its name is typed. */
function keepEnding(name: string, before: string): string {
  const [ending = ''] = /\.[^./]+$/.exec(nameIn(before)) ?? [];
  return name.toLowerCase().endsWith(ending.toLowerCase()) ? name : `${name}${ending}`;
}
