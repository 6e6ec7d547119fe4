import { useEffect } from 'react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { en } from './en.ts';
import type { Text } from './en.ts';
import { fr } from './fr.ts';

export type LanguageCode = 'en' | 'fr';

const texts: Record<LanguageCode, Text> = { en, fr };

/** The language that was chosen, else the first one of the browser that we speak. */
export function useLanguage(): LanguageCode {
  const { language } = useStore(useServices().preferences);
  if (language !== 'auto') return language;
  const spoken = navigator.languages
    .map((tag) => tag.slice(0, 2))
    .find((tag) => tag === 'fr' || tag === 'en');
  return spoken === 'fr' ? 'fr' : 'en';
}

export function useText(): Text {
  return texts[useLanguage()];
}

/** Tells the page itself, so that screen readers pronounce it well. */
export function useLanguageOfPage(): void {
  const language = useLanguage();
  useEffect(() => void (document.documentElement.lang = language), [language]);
}
