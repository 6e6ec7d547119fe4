import { useEffect, useRef } from 'react';
import { useText } from '../text/use-text.ts';
import type { PaletteItem } from './palette-item.ts';
import { PaletteRow } from './palette-row.tsx';
import { rowId } from './row-id.ts';

type Props = {
  entries: readonly PaletteItem[];
  active: number;
  /** Whether to show that nothing was found. */
  isEmpty: boolean;
  onHover: (row: number) => void;
};

/** The rows with headings for their groups. The active row is scrolled into view. */
export function PaletteList({ entries, active, isEmpty, onHover }: Props) {
  const text = useText().palette;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector(`#${rowId(active)}`)?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={list}
      id="palette-list"
      role="listbox"
      aria-label={text.title}
      className="min-h-0 flex-1 overflow-y-auto p-2"
    >
      {entries.map((entry, index) => (
        <div key={entry.id} role="presentation">
          {entries[index - 1]?.group !== entry.group && (
            <p role="presentation" className="px-2 pt-2 pb-1 text-tiny font-semibold text-soft">
              {entry.group}
            </p>
          )}
          <PaletteRow
            entry={entry}
            id={rowId(index)}
            isActive={index === active}
            onHover={() => onHover(index)}
          />
        </div>
      ))}
      {isEmpty && (
        <p role="presentation" className="px-2 py-3 text-small text-soft">
          {text.none}
        </p>
      )}
    </div>
  );
}
