import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Sets a CSS variable of the parent to the height of this element, for elements that stick below it. */
export function useHeightVariable(name: `--${string}`): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    const parent = element?.parentElement;
    if (element === null || parent == null) return;
    const measure = (): void => parent.style.setProperty(name, `${element.getBoundingClientRect().height}px`);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      parent.style.removeProperty(name);
    };
  }, [name]);
  return ref;
}
