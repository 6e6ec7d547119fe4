import { useEffect } from 'react';
import { useServices } from './services.ts';

/** Keyboard shortcuts that work on every page. */
export function useGlobalShortcuts(): void {
  const { isPaletteOpen } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        isPaletteOpen.set((isOpen) => !isOpen);
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isPaletteOpen]);
}
