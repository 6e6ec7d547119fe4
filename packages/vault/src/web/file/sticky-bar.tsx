import type { ReactNode } from 'react';
import { useHeightVariable } from '../ui/use-height-variable.ts';

/**
 * Stays visible while the page scrolls: at the top, or below the header on wide screens, where the header is sticky,
 * too.
 */
export function StickyBar({ children }: { children: ReactNode }) {
  const bar = useHeightVariable('--bar-height');
  return (
    <div
      ref={bar}
      data-sticky-bar
      className="sticky top-0 z-10 flex flex-col gap-2 bg-page py-2 wide:top-[var(--header-height)]"
    >
      {children}
    </div>
  );
}
