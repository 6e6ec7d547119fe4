import { useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useShownFile } from '../shell/use-shown-file.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { visibleRows } from './build-tree.ts';
import type { Tree, TreeNode } from './build-tree.ts';
import { TreeRow } from './tree-row.tsx';

const rowHeight = 28;

/** Only the rows in sight are in the page, however many files there are. */
export function TreeView({ tree, filter }: { tree: Tree; filter: string }) {
  const { preferences, arranging, drafts } = useServices();
  const { tree: text, edit } = useText();
  const drafted = useStore(drafts);
  const format = useFormat();
  const navigate = useNavigate();
  const { open } = useStore(preferences);
  const openSet = useMemo(() => new Set(open), [open]);
  const rows = useMemo(() => visibleRows(tree, openSet, filter), [tree, openSet, filter]);
  const selected = useShownFile();
  const [active, setActive] = useState<string | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingEnd: 8,
    useFlushSync: false,
  });
  const at = rows.findIndex(({ path }) => path === (active ?? selected));

  const setOpen = (path: string, isOpen: boolean): void =>
    preferences.set((all) => ({
      ...all,
      open: isOpen ? [...all.open, path] : all.open.filter((each) => each !== path),
    }));
  const choose = (node: TreeNode): void => {
    setActive(node.path);
    if (node.isFolder) setOpen(node.path, !openSet.has(node.path));
    else void navigate({ to: '/file/$', params: { _splat: node.path } });
  };
  useReveal(tree, selected, (paths) =>
    preferences.set((all) => ({ ...all, open: [...new Set([...all.open, ...paths])] })),
  );

  const shownAt = rows.findIndex(({ path }) => path === selected);
  useEffect(() => {
    if (shownAt >= 0) list.scrollToIndex(shownAt, { align: 'auto' });
    // Only when another file is shown or has become visible: scrolling is the person's.
  }, [selected, shownAt < 0]);

  const openMenu = ({ path }: TreeNode, event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setActive(path);
    arranging.set({ kind: 'menu', path, at: { x: event.clientX, y: event.clientY } });
  };
  /** By keyboard: below the active row. */
  const pressMenu = (event: MouseEvent): void => {
    const node = rows[at];
    const row = document.querySelector(`#${rowId(at)}`)?.getBoundingClientRect();
    if (node === undefined || row === undefined) return;
    event.preventDefault();
    arranging.set({ kind: 'menu', path: node.path, at: { x: row.left + 24, y: row.bottom } });
  };

  const press = (event: KeyboardEvent): void => {
    const node = rows[at];
    const move = (to: number): void => {
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
      if (next === undefined) return;
      setActive(next.path);
      list.scrollToIndex(rows.indexOf(next), { align: 'auto' });
    };
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      Enter: () => node && choose(node),
      ' ': () => node && choose(node),
      F2: () => node && arranging.set({ kind: 'rename', path: node.path }),
      Delete: () => node && arranging.set({ kind: 'delete', path: node.path }),
      ArrowRight: () =>
        node?.isFolder === true && !openSet.has(node.path) ? setOpen(node.path, true) : move(at + 1),
      ArrowLeft: () => {
        if (node?.isFolder === true && openSet.has(node.path)) setOpen(node.path, false);
        else move(rows.findIndex(({ path }) => path === node?.path.split('/').slice(0, -1).join('/')));
      },
    };
    const action = keys[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };

  const items = list.getVirtualItems();
  const isActiveInPage = items.some(({ index }) => index === at);
  if (rows.length === 0)
    return <p className="px-5 py-2 text-small text-soft">{filter === '' ? text.empty : text.none}</p>;
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={text.label}
      tabIndex={0}
      aria-activedescendant={isActiveInPage ? rowId(at) : undefined}
      onKeyDown={press}
      onContextMenu={pressMenu}
      className="group/tree min-h-0 flex-1 overflow-y-auto px-3 pb-2 focus-visible:outline-none"
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const node = rows[index];
          if (node === undefined) return null;
          return (
            <TreeRow
              key={node.path}
              id={rowId(index)}
              node={node}
              top={start}
              size={
                node.tokens === null || node.tokens === 0
                  ? null
                  : { short: format.short(node.tokens), spoken: text.tokens(node.tokens) }
              }
              isOpen={filter !== '' || openSet.has(node.path)}
              isSelected={node.path === selected}
              draft={drafted[node.path] === undefined ? null : edit.unsaved}
              isActive={index === at}
              onChoose={() => choose(node)}
              onMenu={(event) => openMenu(node, event)}
            />
          );
        })}
      </div>
    </div>
  );
}

function rowId(index: number): string {
  return `tree-row-${index}`;
}

/** Opens the folders around a file when it is shown, once. */
function useReveal(tree: Tree, selected: string | null, open: (paths: string[]) => void): void {
  const revealed = useRef<string | null>(null);
  useEffect(() => {
    if (selected === null || revealed.current === selected || !tree.byPath.has(selected)) return;
    revealed.current = selected;
    const parts = selected.split('/');
    if (parts.length > 1) open(parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/')));
  }, [tree, selected, open]);
}
