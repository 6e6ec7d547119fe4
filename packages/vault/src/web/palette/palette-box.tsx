import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { rowId } from './row-id.ts';

type Props = {
  typed: string;
  scope: string | null;
  /** The row that Enter is for; below zero when there is none. */
  active: number;
  onType: (typed: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** Where it is typed, with the folder that is searched. It keeps the keyboard while a row is active. */
export function PaletteBox({ typed, scope, active, onType, onKeyDown }: Props) {
  const text = useText().palette;
  return (
    <div className="flex items-center gap-2 border-b border-line px-4">
      <Search aria-hidden className="size-4 shrink-0 text-soft" />
      {scope !== null && (
        <span className="max-wide:hidden">
          <Badge tone="accent">{text.scope(scope)}</Badge>
        </span>
      )}
      <input
        // Opened to be typed into.
        autoFocus
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={active >= 0 ? rowId(active) : undefined}
        aria-label={text.placeholder}
        placeholder={text.placeholder}
        spellCheck={false}
        className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none"
      />
    </div>
  );
}
