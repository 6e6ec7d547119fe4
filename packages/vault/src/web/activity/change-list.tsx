import { useVirtualizer } from '@tanstack/react-virtual';
import { Play } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Change, ChangeFilter } from '../api/history-api.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ChangeRow } from './change-row.tsx';
import { useChanges } from './use-changes.ts';

const DayReplay = lazyComponent(() => import('./day-replay.tsx').then(({ DayReplay: part }) => part), {
  isOverlay: true,
});

const estimatedRowPx = 37;
/** How many rows before the end of the list the next page is requested. */
const prefetchRows = 40;

/** All changes, grouped by day. Only the visible rows are in the DOM. */
export function ChangeList({ filter, none }: { filter: ChangeFilter; none: React.ReactNode }) {
  const text = useText().changes;
  const { changes, error, loadMore } = useChanges(filter);
  if (error !== null && changes === undefined) return <ErrorNotice error={error} />;
  if (changes === undefined) return <Spinner label={text.loading} />;
  if (changes.length === 0) return none;
  return <VirtualRows changes={changes} loadMore={loadMore} filter={filter} />;
}

type RowsProps = { changes: readonly Change[]; loadMore: (() => void) | null; filter: ChangeFilter };

function VirtualRows({ changes, loadMore, filter }: RowsProps) {
  const text = useText().changes;
  const [replayed, setReplayed] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const rows = useVirtualizer({
    count: changes.length,
    getScrollElement: () => list.current?.closest('main') ?? null,
    getItemKey: (index) => changes[index]?.id ?? index,
    estimateSize: () => estimatedRowPx,
    overscan: 6,
    scrollMargin,
    useFlushSync: false,
  });
  // Content above the list may change its height, so its offset is measured after each render.
  useLayoutEffect(() => {
    const main = list.current?.closest('main');
    if (list.current === null || main == null) return;
    const top = list.current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop;
    setScrollMargin(Math.round(top));
  });
  const items = rows.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= changes.length - prefetchRows;
  useEffect(() => {
    if (isNearEnd) loadMore?.();
  }, [isNearEnd, loadMore]);
  return (
    <div
      ref={list}
      role="feed"
      aria-label={text.list}
      className="relative"
      style={{ height: rows.getTotalSize() }}
    >
      {items.map(({ key, index, start }) => {
        const change = changes[index];
        if (change === undefined) return null;
        return (
          <article
            key={key}
            ref={rows.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={loadMore === null ? changes.length : -1}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {changes[index - 1]?.day !== change.day && (
              <DayHeading day={change.day} isFirst={index === 0} onPlay={() => setReplayed(change.day)} />
            )}
            <div className="border-b border-line">
              <ChangeRow change={change} />
            </div>
          </article>
        );
      })}
      {replayed !== null && <DayReplay filter={filter} day={replayed} onClose={() => setReplayed(null)} />}
    </div>
  );
}

type DayHeadingProps = { day: string; isFirst: boolean; onPlay: () => void };

function DayHeading({ day, isFirst, onPlay }: DayHeadingProps) {
  const { changes } = useText();
  const format = useFormat();
  return (
    <div className={`flex items-center gap-2 pb-1 ${isFirst ? '' : 'pt-6'}`}>
      <h2 className="text-small font-semibold first-letter:uppercase">{format.day(day)}</h2>
      <IconButton label={changes.replay.play} className="size-6" onClick={onPlay}>
        <Play aria-hidden className="size-3.5" />
      </IconButton>
    </div>
  );
}
