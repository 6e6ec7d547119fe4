import { describe, expect, it } from 'vitest';
import { buildTree, treeSteps } from './build-tree.ts';
import type { TreeEntry } from './build-tree.ts';

const entry = (path: string): TreeEntry => ({
  path: `vault/${path}`,
  kind: path.endsWith('/') ? 'folder' : 'file',
  tokens: 1,
  updated: null,
});

describe('the tree', () => {
  it('has folders first, in natural order, whatever the order of its entries', () => {
    const { root, files, byPath } = buildTree(
      ['b/note 10.md', 'a.md', 'tree.md', 'b/note 9.md', 'b/', 'b/c/', 'b/c/d.md'].map(entry),
    );
    expect(root.children.map(({ name }) => name)).toEqual(['b', 'a.md']);
    expect(byPath.get('b')?.children.map(({ name }) => name)).toEqual(['c', 'note 9.md', 'note 10.md']);
    expect(byPath.get('b/c/d.md')).toMatchObject({ name: 'd.md', depth: 3, isFolder: false });
    expect(files.map(({ path }) => path).toSorted()).toEqual([
      'a.md',
      'b/c/d.md',
      'b/note 10.md',
      'b/note 9.md',
    ]);
  });

  it('of 50,000 files is built in steps of at most 1,000 files', () => {
    const folders = Array.from({ length: 50 }, (_, index) => entry(`p${index}/`));
    const files = Array.from({ length: 50_000 }, (_, index) => entry(`p${index % 50}/${index}.md`));
    const steps = treeSteps([...folders, ...files]);
    let count = 0;
    while (steps.next().done !== true) count += 1;
    // Each file is created, linked to its folder and sorted.
    expect(count).toBeGreaterThanOrEqual(150);
  });
});
