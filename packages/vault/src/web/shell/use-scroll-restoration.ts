import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { RefObject } from 'react';

/** How long to wait for enough content to restore a scroll position. */
const restoreTimeoutMs = 5_000;

/**
 * Scrolls a newly opened page to its top, and restores the position on back and forward. Content may load later, so the position is
 * restored as soon as the page is long enough, unless the user scrolls first.
 */
export function useScrollRestoration(view: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const element = view.current;
    if (element === null) return;
    const positions = new Map<string, number>();
    const keyOf = ({ state, pathname }: typeof router.state.location): string => state.key ?? pathname;
    let here = keyOf(router.state.location);
    let cancelRestore: (() => void) | null = null;
    // During navigation, the view jumps to positions that belong to neither page.
    let isMoving = false;
    const remember = (): void => {
      if (cancelRestore === null && !isMoving) positions.set(here, element.scrollTop);
    };
    const returnTo = (top: number): void => {
      const observer = new MutationObserver(() => restore());
      const end = (): void => {
        observer.disconnect();
        clearTimeout(timer);
        for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
          element.removeEventListener(name, end);
        cancelRestore = null;
      };
      const restore = (): void => {
        element.scrollTop = top;
        if (Math.abs(element.scrollTop - top) <= 1) end();
      };
      const timer = setTimeout(end, restoreTimeoutMs);
      for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
        element.addEventListener(name, end);
      observer.observe(element, { childList: true, subtree: true });
      cancelRestore = end;
      restore();
    };
    element.addEventListener('scroll', remember, { passive: true });
    const unsubscribeBefore = router.subscribe('onBeforeNavigate', () => void (isMoving = true));
    const end = router.subscribe('onResolved', ({ fromLocation, toLocation, pathChanged }) => {
      isMoving = false;
      const next = keyOf(toLocation);
      if (fromLocation === undefined || next === here) return;
      here = next;
      cancelRestore?.();
      const known = positions.get(next);
      if (known !== undefined) returnTo(known);
      else if (pathChanged) element.scrollTop = 0;
      remember();
    });
    return () => {
      end();
      unsubscribeBefore();
      cancelRestore?.();
      element.removeEventListener('scroll', remember);
    };
  }, [router, view]);
}
