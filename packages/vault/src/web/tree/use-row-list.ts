import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { TreeNode } from './build-tree.ts';

const rowHeight = 28;

/** Only the rows in sight are in the page, however many files there are. */
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
    // Only when another file is shown or has become visible: scrolling is the person's.
  }, [selected, shownAt < 0]);
  return { scroller, scrollTo, items: list.getVirtualItems(), height: list.getTotalSize() };
}
