import { useEffect } from 'react';
import { useServices } from './services.ts';

/** Keyboard shortcuts that work on every page. */
export function useGlobalShortcuts(): void {
  const { isPaletteOpen, isKeySheetOpen } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.set((isOpen) => !isOpen);
      }
      if (event.key === '?' && !event.ctrlKey && !event.metaKey && !isTyping(event.target)) {
        event.preventDefault();
        isKeySheetOpen.set(true);
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isPaletteOpen, isKeySheetOpen]);
}

/** Whether a key is text for an input. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
