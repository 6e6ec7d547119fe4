import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { RefObject } from 'react';

/** How long content may take to come until there is enough of it to scroll. */
const patience = 5_000;

/**
 * A page that is opened begins at its top; back and forward return to where one was. What is shown may come later, so the
 * place is taken as soon as there is room for it, unless the person scrolls first.
 */
export function useScrollPlace(view: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(() => {
    const element = view.current;
    if (element === null) return;
    const places = new Map<string, number>();
    const keyOf = ({ state, pathname }: typeof router.state.location): string => state.key ?? pathname;
    let here = keyOf(router.state.location);
    let give: (() => void) | null = null;
    // Between two pages the view jumps: that is no place of either.
    let isMoving = false;
    const remember = (): void => {
      if (give === null && !isMoving) places.set(here, element.scrollTop);
    };
    const returnTo = (top: number): void => {
      const observer = new MutationObserver(() => take());
      const end = (): void => {
        observer.disconnect();
        clearTimeout(timer);
        for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
          element.removeEventListener(name, end);
        give = null;
      };
      const take = (): void => {
        element.scrollTop = top;
        if (Math.abs(element.scrollTop - top) <= 1) end();
      };
      const timer = setTimeout(end, patience);
      for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown'])
        element.addEventListener(name, end);
      observer.observe(element, { childList: true, subtree: true });
      give = end;
      take();
    };
    element.addEventListener('scroll', remember, { passive: true });
    const endMoving = router.subscribe('onBeforeNavigate', () => void (isMoving = true));
    const end = router.subscribe('onResolved', ({ fromLocation, toLocation, pathChanged }) => {
      isMoving = false;
      const next = keyOf(toLocation);
      if (fromLocation === undefined || next === here) return;
      here = next;
      give?.();
      const known = places.get(next);
      if (known !== undefined) returnTo(known);
      else if (pathChanged) element.scrollTop = 0;
      remember();
    });
    return () => {
      end();
      endMoving();
      give?.();
      element.removeEventListener('scroll', remember);
    };
  }, [router, view]);
}
