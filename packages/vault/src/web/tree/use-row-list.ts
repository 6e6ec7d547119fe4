import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { TreeNode } from './build-tree.ts';

const rowHeight = 28;

/** A virtual list: only the visible rows are in the DOM. */
export function useRowList(rows: readonly TreeNode[], selected: string | null) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingEnd: 8,
    useFlushSync: false,
  });
  const scrollTo = (index: number): void => list.scrollToIndex(index, { align: 'auto' });
  const shownAt = rows.findIndex(({ path }) => path === selected);
  useEffect(() => {
    if (shownAt >= 0) scrollTo(shownAt);
    // Runs only if another file is selected or the selected file appears, so that it does not interfere with the user's
    // scrolling.
  }, [selected, shownAt < 0]);
  return { scroller, scrollTo, items: list.getVirtualItems(), height: list.getTotalSize() };
}
