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

export type TreeEntry = z.output<typeof treeOutput>['entries'][number];

const order = new Intl.Collator(undefined, { numeric: true });

/** Builds a tree of folders and files. Folders come first; names are in natural order. */
export function buildTree(entries: readonly TreeEntry[]): Tree {
  const steps = treeSteps(entries);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Builds the tree step by step, so that the caller can let the browser work in between: a vault of 50,000 files takes some hundred
 * milliseconds.
 */
export function* treeSteps(entries: readonly TreeEntry[]): Generator<undefined, Tree, undefined> {
  const root = createNode({ path: '', kind: 'folder', tokens: null, updated: null });
  const byPath = new Map<string, TreeNode>();
  for (const [index, entry] of entries.entries()) {
    const node = createNode(entry);
    // The generated list of files says nothing that the tree does not.
    if (node.path !== '' && node.path !== 'tree.md') byPath.set(node.path, node);
    if (index % nodesPerStep === 0) yield;
  }
  const files: TreeNode[] = [];
  let linked = 0;
  for (const node of byPath.values()) {
    (
      byPath.get(node.path.slice(0, Math.max(0, node.path.length - node.name.length - 1))) ?? root
    ).children.push(node);
    if (!node.isFolder) files.push(node);
    linked += 1;
    if (linked % nodesPerStep === 0) yield;
  }
  for (const { isFolder, children } of [root, ...byPath.values()]) {
    if (!isFolder) continue;
    children.sort(compareNodes);
    yield;
  }
  return { root, files, byPath };
}

const nodesPerStep = 1_000;

function createNode({ path: shown, kind, tokens, updated }: TreeEntry): TreeNode {
  const path = shown.replace(/^vault(\/|$)/, '').replace(/\/$/, '');
  const depth = path === '' ? 0 : path.split('/').length;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return { path, name, isFolder: kind === 'folder', tokens, updated, depth, children: [] };
}

function compareNodes(a: TreeNode, b: TreeNode): number {
  return Number(b.isFolder) - Number(a.isFolder) || order.compare(a.name, b.name);
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
