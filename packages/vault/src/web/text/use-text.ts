import { useEffect } from 'react';
import { useStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';
import type { Preferences } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { en } from './en.ts';
import type { Text } from './en.ts';

export type LanguageCode = 'en' | 'fr';

/** French is loaded where it is spoken; null before that, and then English is. */
type French = Store<Text | null>;

/** The language that was chosen, else the first one of the browser that we speak. */
export function languageOf({ language }: Preferences): LanguageCode {
  if (language !== 'auto') return language;
  const spoken = navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag) => tag === 'fr' || tag === 'en');
  return spoken === 'fr' ? 'fr' : 'en';
}

export async function loadFrench(french: French): Promise<void> {
  try {
    french.set((await import('./fr.ts')).fr);
  } catch {
    // The server is away: it is tried again with the next view that needs it.
  }
}

export function useLanguage(): LanguageCode {
  return languageOf(useStore(useServices().preferences));
}

export function useText(): Text {
  const french = useStore(useServices().french);
  return useLanguage() === 'fr' && french !== null ? french : en;
}

/** Has the language that is chosen loaded, and tells the page itself, so that screen readers pronounce it well. */
export function useLanguageOfPage(): void {
  const { french, connection } = useServices();
  const language = useLanguage();
  const isThere = useStore(french) !== null;
  const state = useStore(connection);
  useEffect(() => {
    if (language === 'fr' && !isThere) void loadFrench(french);
  }, [language, isThere, french, state]);
  useEffect(() => {
    document.documentElement.lang = isThere ? language : 'en';
  }, [language, isThere]);
}
