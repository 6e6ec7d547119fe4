import { useMemo } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useCurrentFile } from '../shell/use-current-file.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { flattenVisible } from './build-tree.ts';
import type { Tree, TreeNode } from './build-tree.ts';
import { useModifiedTime } from './use-modified-time.ts';
import { rowId, TreeRow } from './tree-row.tsx';
import { useOpenFolders } from './use-open-folders.ts';
import { useRowList } from './use-row-list.ts';
import { useTreeControl } from './use-tree-control.ts';

/** A file tree with keyboard navigation. With a filter, it shows only matches. */
export function TreeView({ tree, filter }: { tree: Tree; filter: string }) {
  const drafted = useStore(useServices().drafts);
  const { tree: text, edit, file: fileText } = useText();
  const format = useFormat();
  const selected = useCurrentFile();
  const { open, setOpen } = useOpenFolders(tree, selected);
  const updatedAt = useModifiedTime();
  const changedOf = (node: TreeNode): { short: string; spoken: string } | null => {
    const at = updatedAt(node);
    return at === null ? null : { short: format.changedDay(at), spoken: fileText.updated(format.date(at)) };
  };
  const rows = useMemo(() => flattenVisible(tree, open, filter), [tree, open, filter]);
  const { scroller, scrollTo, items, height } = useRowList(rows, selected);
  const { at, choose, openMenu, handlers } = useTreeControl({ rows, selected, open, setOpen, scrollTo });

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
      {...handlers}
      className="group/tree min-h-0 flex-1 overflow-y-auto px-3 pb-2 focus-visible:outline-none"
    >
      <div role="presentation" className="relative" style={{ height }}>
        {items.map(({ index, start }) => {
          const node = rows[index];
          if (node === undefined) return null;
          return (
            <TreeRow
              key={node.path}
              id={rowId(index)}
              node={node}
              top={start}
              changed={node.isFolder ? null : changedOf(node)}
              isOpen={filter !== '' || open.has(node.path)}
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
