import type { TreeNode } from './build-tree.ts';

/** The effect of a key in the tree. */
export type TreeAction =
  | { kind: 'move'; to: TreeNode }
  /** Opens a file; expands or collapses a folder. */
  | { kind: 'choose'; node: TreeNode }
  | { kind: 'set-open'; path: string; isOpen: boolean }
  | { kind: 'rename'; path: string }
  | { kind: 'delete'; path: string }
  | { kind: 'nothing' };

type Rows = {
  rows: readonly TreeNode[];
  /** The index of the active row; -1 if there is none. */
  at: number;
  /** The expanded folders. */
  open: ReadonlySet<string>;
};

const nothing: TreeAction = { kind: 'nothing' };

/** Null for a key that the tree does not handle. */
export function actionForKey(key: string, { rows, at, open }: Rows): TreeAction | null {
  const node = rows[at];
  const move = (index: number): TreeAction => {
    const to = rows[Math.max(0, Math.min(rows.length - 1, index))];
    return to === undefined ? nothing : { kind: 'move', to };
  };
  const isOpen = node?.isFolder === true && open.has(node.path);
  switch (key) {
    case 'ArrowDown':
      return move(at + 1);
    case 'ArrowUp':
      return move(at - 1);
    case 'Home':
      return move(0);
    case 'End':
      return move(rows.length - 1);
    case 'Enter':
    case ' ':
      return node === undefined ? nothing : { kind: 'choose', node };
    case 'F2':
      return node === undefined ? nothing : { kind: 'rename', path: node.path };
    case 'Delete':
      return node === undefined ? nothing : { kind: 'delete', path: node.path };
    case 'ArrowRight':
      return node?.isFolder === true && !isOpen
        ? { kind: 'set-open', path: node.path, isOpen: true }
        : move(at + 1);
    case 'ArrowLeft': {
      if (node !== undefined && isOpen) return { kind: 'set-open', path: node.path, isOpen: false };
      const parent = node?.path.split('/').slice(0, -1).join('/');
      return move(rows.findIndex(({ path }) => path === parent));
    }
    default:
      return null;
  }
}
