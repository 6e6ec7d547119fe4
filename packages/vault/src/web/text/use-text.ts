import { useEffect, useMemo } from 'react';
import { useStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';
import type { Preferences } from '../shell/preferences.ts';
import { useServices } from '../shell/services.ts';
import { en } from './en.ts';
import type { Text } from './en.ts';
import { wordForMembers } from './word-for-members.ts';

export type LanguageCode = 'en' | 'fr';

/** The French texts, which are loaded on demand; null until then, and English is shown. */
type French = Store<Text | null>;

/** The chosen language, otherwise the first supported language of the browser. */
export function resolveLanguage({ language }: Preferences): LanguageCode {
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
    // The server is unreachable; `useDocumentLanguage` tries again when the connection changes.
  }
}

export function useLanguage(): LanguageCode {
  return resolveLanguage(useStore(useServices().preferences));
}

export function useText(): Text {
  const { frenchText, isMember } = useServices();
  const french = useStore(frenchText);
  const text = useLanguage() === 'fr' && french !== null ? french : en;
  const isForMember = useStore(isMember);
  return useMemo(() => (isForMember ? wordForMembers(text) : text), [text, isForMember]);
}

/** Loads the chosen language and sets `lang` of the document, so that screen readers pronounce it correctly. */
export function useDocumentLanguage(): void {
  const { frenchText, connection } = useServices();
  const language = useLanguage();
  const isLoaded = useStore(frenchText) !== null;
  const state = useStore(connection);
  useEffect(() => {
    if (language === 'fr' && !isLoaded) void loadFrench(frenchText);
  }, [language, isLoaded, frenchText, state]);
  useEffect(() => {
    document.documentElement.lang = isLoaded ? language : 'en';
  }, [language, isLoaded]);
}
