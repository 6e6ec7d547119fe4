import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { ReactNode } from 'react';

type Props = {
  title: ReactNode;
  /** Shown next to the title, outside of the trigger. */
  actions?: ReactNode;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  children: ReactNode;
};

/** The classes of a link next to the title. */
export const collapsibleLinkClass =
  'rounded-small px-1 py-1 text-small font-medium text-accent underline underline-offset-2 whitespace-nowrap';

/** A block that its heading expands and collapses. */
export function Collapsible({ title, actions, isOpen, onChange, children }: Props) {
  const panel = useId();
  const hasActions = actions !== undefined && actions !== false;
  return (
    <div className="min-w-0 overflow-hidden rounded-medium border border-line bg-surface">
      <div
        className={`flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 py-1 ${hasActions ? 'pr-2' : ''}`}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? panel : undefined}
          onClick={() => onChange(!isOpen)}
          className="flex min-w-0 flex-1 basis-40 items-center gap-2 self-stretch rounded-small px-3 text-left text-small -outline-offset-2"
        >
          <ChevronRight
            aria-hidden
            className={`size-4 shrink-0 text-soft transition-transform ${isOpen ? 'rotate-90' : ''}`}
          />
          <span className="min-w-0 flex-1">{title}</span>
        </button>
        {/* Wraps below the title, aligned with its text, on narrow screens. */}
        {hasActions && <div className="flex flex-wrap items-center gap-2 pl-8 wide:pl-0">{actions}</div>}
      </div>
      {isOpen && (
        <div id={panel} className="border-t border-line">
          {children}
        </div>
      )}
    </div>
  );
}
