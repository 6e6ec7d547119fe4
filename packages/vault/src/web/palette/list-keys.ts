import type { KeyboardEvent } from 'react';
import type { Entry } from './entry.ts';

type List = {
  entries: readonly Entry[];
  active: number;
  moveTo: (row: number) => void;
  /** Null where there is nothing to search for. */
  goDeep: (() => void) | null;
};

/** Arrows go round the list, Enter does what the active row says, and with Alt it searches deeper. */
export function listKeys({ entries, active, moveTo, goDeep }: List): (event: KeyboardEvent) => void {
  return (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      moveTo((active + step + entries.length) % Math.max(entries.length, 1));
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      if (event.altKey && goDeep !== null) goDeep();
      else entries[active]?.run();
    }
  };
}
