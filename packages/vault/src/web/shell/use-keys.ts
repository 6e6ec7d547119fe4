import { useEffect } from 'react';
import { useServices } from './services.ts';

/** Keys that work everywhere. */
export function useKeys(): void {
  const { palette } = useServices();
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        palette.set((isOpen) => !isOpen);
      }
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [palette]);
}
