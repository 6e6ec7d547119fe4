import { describe, expect, it } from 'vitest';
import { actionForKey } from './action-for-key.ts';
import type { TreeAction } from './action-for-key.ts';
import type { TreeNode } from './build-tree.ts';

const node = (path: string, isFolder = false): TreeNode => ({
  path,
  name: path.split('/').at(-1) ?? path,
  isFolder,
  tokens: null,
  updated: null,
  depth: path.split('/').length,
  children: [],
});
const shut = node('archive', true);
const folder = node('projects', true);
const note = node('projects/a.md');
const last = node('tasks.md');
const rows = [shut, folder, note, last];
const open = new Set(['projects']);

describe('actionForKey', () => {
  it.each<[string, number, TreeAction | null]>([
    ['ArrowDown', 0, { kind: 'move', to: folder }],
    ['ArrowDown', 3, { kind: 'move', to: last }],
    ['ArrowDown', -1, { kind: 'move', to: shut }],
    ['ArrowUp', 2, { kind: 'move', to: folder }],
    ['ArrowUp', 0, { kind: 'move', to: shut }],
    ['Home', 3, { kind: 'move', to: shut }],
    ['End', 0, { kind: 'move', to: last }],
    ['Enter', 2, { kind: 'choose', node: note }],
    [' ', 1, { kind: 'choose', node: folder }],
    ['F2', 2, { kind: 'rename', path: note.path }],
    ['Delete', 1, { kind: 'delete', path: folder.path }],
    ['ArrowRight', 0, { kind: 'set-open', path: 'archive', isOpen: true }],
    ['ArrowRight', 1, { kind: 'move', to: note }],
    ['ArrowRight', 2, { kind: 'move', to: last }],
    ['ArrowLeft', 1, { kind: 'set-open', path: 'projects', isOpen: false }],
    ['ArrowLeft', 2, { kind: 'move', to: folder }],
    ['ArrowLeft', 3, { kind: 'move', to: shut }],
    ['Enter', -1, { kind: 'nothing' }],
    ['Delete', -1, { kind: 'nothing' }],
    ['a', 1, null],
    ['Escape', 1, null],
  ])('handles %j in row %i', (key, at, expected) => {
    expect(actionForKey(key, { rows, at, open })).toEqual(expected);
  });

  it('does nothing in an empty tree', () => {
    expect(actionForKey('End', { rows: [], at: -1, open })).toEqual({ kind: 'nothing' });
  });
});
