import { ChevronRight, FileText, Folder, FolderOpen, Image } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { TreeNode } from './build-tree.ts';

type Props = {
  id: string;
  node: TreeNode;
  top: number;
  /** When the file was changed: abbreviated, and in full for screen readers. */
  changed: { short: string; spoken: string } | null;
  isOpen: boolean;
  isSelected: boolean;
  /** Label for an unsaved draft; null if there is none. */
  draft: string | null;
  /** Whether the keyboard acts on this row. */
  isActive: boolean;
  onChoose: () => void;
  onMenu: (event: MouseEvent) => void;
};

/** The element id of a row, for `aria-activedescendant` of the tree. */
export function rowId(index: number): string {
  return `tree-row-${index}`;
}

const image = /\.(?:png|jpe?g|gif|webp)$/i;

export function TreeRow({
  id,
  node,
  top,
  changed,
  isOpen,
  isSelected,
  draft,
  isActive,
  onChoose,
  onMenu,
}: Props) {
  const Icon = node.isFolder ? (isOpen ? FolderOpen : Folder) : image.test(node.name) ? Image : FileText;
  return (
    // The tree handles the keyboard and announces the active row.
    <div
      id={id}
      role="treeitem"
      aria-level={node.depth}
      aria-selected={isSelected}
      aria-expanded={node.isFolder ? isOpen : undefined}
      title={node.path}
      onClick={onChoose}
      onContextMenu={onMenu}
      style={{ transform: `translateY(${top}px)`, paddingLeft: (node.depth - 1) * 14 + 4 }}
      className={`absolute inset-x-0 top-0 flex h-7 cursor-pointer items-center gap-1.5 rounded-medium pr-2 text-small ${
        isSelected ? 'bg-accent-soft font-medium text-accent' : 'hover:bg-hover'
      } ${isActive ? 'group-focus-visible/tree:outline-2 group-focus-visible/tree:-outline-offset-2 group-focus-visible/tree:outline-accent' : ''}`}
    >
      <ChevronRight
        aria-hidden
        className={`size-3.5 shrink-0 text-soft transition-transform ${node.isFolder ? '' : 'invisible'} ${isOpen ? 'rotate-90' : ''}`}
      />
      <Icon aria-hidden className={`size-4 shrink-0 ${isSelected ? '' : 'text-soft'}`} />
      <span className="min-w-0 flex-1 truncate">{node.name}</span>
      {draft !== null && (
        <span title={draft} className="size-2 shrink-0 rounded-full bg-warn">
          <span className="sr-only">{draft}</span>
        </span>
      )}
      {changed !== null && (
        <span className="shrink-0 text-tiny font-normal text-soft tabular-nums">
          <span aria-hidden>{changed.short}</span>
          <span className="sr-only">{changed.spoken}</span>
        </span>
      )}
    </div>
  );
}
