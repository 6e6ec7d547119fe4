import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useText } from '../text/use-text.ts';
import { Badge } from '../ui/badge.tsx';
import { rowId } from './row-id.ts';

type Props = {
  typed: string;
  scope: string | null;
  /** The active row; negative if there is none. */
  active: number;
  onType: (typed: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** The input of the palette, with the folder that is searched. It keeps the focus while a row is active. */
export function PaletteInput({ typed, scope, active, onType, onKeyDown }: Props) {
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
        // The user opens the palette to type.
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
