import type { KeyboardEvent } from 'react';
import type { PaletteItem } from './palette-item.ts';

type List = {
  entries: readonly PaletteItem[];
  active: number;
  moveTo: (row: number) => void;
  /** Starts a deep search; null if there is nothing to search for. */
  searchDeep: (() => void) | null;
};

/** Arrow keys move through the list and wrap around, Enter runs the active row, and Alt+Enter starts a deep search. */
export function createKeyHandler({
  entries,
  active,
  moveTo,
  searchDeep,
}: List): (event: KeyboardEvent) => void {
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      moveTo((active + step + entries.length) % Math.max(entries.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (event.altKey && searchDeep !== null) searchDeep();
      else entries[active]?.run();
    }
  };
}
