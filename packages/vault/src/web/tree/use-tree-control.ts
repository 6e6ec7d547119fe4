import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { actionForKey } from './action-for-key.ts';
import type { TreeAction } from './action-for-key.ts';
import type { TreeNode } from './build-tree.ts';
import { rowId } from './tree-row.tsx';

type TreeControlOptions = {
  rows: readonly TreeNode[];
  /** The file that is open. */
  selected: string | null;
  open: ReadonlySet<string>;
  setOpen: (path: string, isOpen: boolean) => void;
  scrollTo: (index: number) => void;
};

/** Handles keyboard and pointer in the tree. `at` is the index of the active row, -1 if there is none. */
export function useTreeControl({ rows, selected, open, setOpen, scrollTo }: TreeControlOptions) {
  const { fileAction } = useServices();
  const navigate = useNavigate();
  const [active, setActive] = useState<string | null>(null);
  const at = rows.findIndex(({ path }) => path === (active ?? selected));

  const choose = (node: TreeNode): void => {
    setActive(node.path);
    if (node.isFolder) setOpen(node.path, !open.has(node.path));
    else void navigate({ to: '/file/$', params: { _splat: node.path } });
  };
  const act = (action: TreeAction): void => {
    switch (action.kind) {
      case 'move':
        setActive(action.to.path);
        scrollTo(rows.indexOf(action.to));
        break;
      case 'choose':
        choose(action.node);
        break;
      case 'set-open':
        setOpen(action.path, action.isOpen);
        break;
      case 'rename':
      case 'delete':
        fileAction.set({ kind: action.kind, path: action.path });
        break;
      case 'nothing':
        break;
    }
  };
  const openMenu = ({ path }: TreeNode, event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setActive(path);
    fileAction.set({ kind: 'menu', path, at: { x: event.clientX, y: event.clientY } });
  };
  return {
    at,
    choose,
    openMenu,
    handlers: {
      onKeyDown(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const action = actionForKey(event.key, { rows, at, open });
        if (action === null) return;
        event.preventDefault();
        act(action);
      },
      /** The menu key opens the menu below the active row. */
      onContextMenu(event: MouseEvent): void {
        const node = rows[at];
        const row = document.querySelector(`#${rowId(at)}`)?.getBoundingClientRect();
        if (node === undefined || row === undefined) return;
        event.preventDefault();
        fileAction.set({ kind: 'menu', path: node.path, at: { x: row.left + 24, y: row.bottom } });
      },
    },
  };
}
