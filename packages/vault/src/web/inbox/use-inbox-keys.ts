import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Marks the card of an item, and the buttons of its answers in their order. */
export const cardProps = { 'data-item': true, tabIndex: -1 } as const;
export const answerProps = { 'data-answer': true } as const;

/** J and K move between the items, a number presses the answer with that number of the focused item. */
export function useInboxKeys(container: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = -1;
    const press = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const cards = [...(container.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])];
      const at = cards.findIndex((card) => card.contains(document.activeElement));
      const step = { j: 1, k: -1 }[event.key.toLowerCase()];
      if (step !== undefined) {
        // An answered item loses the focus with its button.
        const next = at < 0 && step === 1 ? Math.max(last, 0) : (at < 0 ? last : at) + step;
        last = Math.min(Math.max(next, 0), cards.length - 1);
        cards[last]?.focus();
        cards[last]?.scrollIntoView({ block: 'nearest' });
        return;
      }
      if (at < 0 || !/^[1-9]$/.test(event.key)) return;
      last = at;
      cards[at]?.querySelectorAll<HTMLElement>('[data-answer]')[Number(event.key) - 1]?.click();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [container]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"], [role="dialog"]') !== null
  );
}
