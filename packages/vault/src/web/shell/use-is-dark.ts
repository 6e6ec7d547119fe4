import { useSyncExternalStore } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from './services.ts';

const query = '(prefers-color-scheme: dark)';

/** Whether the page is dark: as chosen, otherwise as the system. */
export function useIsDark(): boolean {
  const { theme } = useStore(useServices().preferences);
  const isSystemDark = useSyncExternalStore(subscribe, () => matchMedia(query).matches);
  return theme === 'system' ? isSystemDark : theme === 'dark';
}

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}
