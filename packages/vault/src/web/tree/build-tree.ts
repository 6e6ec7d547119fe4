import type { z } from 'zod';
import type { treeOutput } from '../../contract/index.ts';

export type TreeNode = {
  /** Without `vault/` and without a trailing slash. */
  path: string;
  name: string;
  isFolder: boolean;
  tokens: number | null;
  updated: string | null;
  depth: number;
  children: TreeNode[];
};

/** `root` is the vault itself. */
export type Tree = { root: TreeNode; files: TreeNode[]; byPath: ReadonlyMap<string, TreeNode> };

type Entry = z.output<typeof treeOutput>['entries'][number];

const order = new Intl.Collator(undefined, { numeric: true });

/** Builds a tree of folders and files. Folders come first; names are in natural order. */
export function buildTree(entries: readonly Entry[]): Tree {
  const byPath = new Map<string, TreeNode>();
  const root: TreeNode = {
    path: '',
    name: '',
    isFolder: true,
    tokens: null,
    updated: null,
    depth: 0,
    children: [],
  };
  const sorted = entries
    .map(({ path, ...entry }) => ({ ...entry, path: path.replace(/^vault(\/|$)/, '').replace(/\/$/, '') }))
    // The generated list of files says nothing that the tree does not.
    .filter(({ path }) => path !== '' && path !== 'tree.md')
    .toSorted((a, b) => a.path.length - b.path.length);
  for (const { path, kind, tokens, updated } of sorted) {
    const parts = path.split('/');
    const name = parts.at(-1) ?? path;
    const node = {
      path,
      name,
      isFolder: kind === 'folder',
      tokens,
      updated,
      depth: parts.length,
      children: [],
    };
    byPath.set(path, node);
    (byPath.get(parts.slice(0, -1).join('/')) ?? root).children.push(node);
  }
  const compare = (a: TreeNode, b: TreeNode): number =>
    Number(b.isFolder) - Number(a.isFolder) || order.compare(a.name, b.name);
  root.children.sort(compare);
  for (const { children } of byPath.values()) children.sort(compare);
  return { root, files: [...byPath.values()].filter(({ isFolder }) => !isFolder), byPath };
}

/** The visible rows if these folders are expanded. With a filter, all matches and their parent folders. */
export function flattenVisible(tree: Tree, open: ReadonlySet<string>, filter: string): TreeNode[] {
  const rows: TreeNode[] = [];
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const walk = (nodes: readonly TreeNode[]): void => {
      for (const node of nodes) {
        rows.push(node);
        if (node.isFolder && open.has(node.path)) walk(node.children);
      }
    };
    walk(tree.root.children);
    return rows;
  }
  const isMatch = ({ path }: TreeNode): boolean => {
    const text = path.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const collect = (nodes: readonly TreeNode[]): void => {
    for (const node of nodes) {
      const at = rows.push(node);
      collect(node.children);
      if (rows.length === at && !isMatch(node)) rows.pop();
    }
  };
  collect(tree.root.children);
  return rows;
}
