import { createStoredValue } from '../live/store.ts';
import type { Store } from '../live/store.ts';

export type Mode = 'file' | 'ask' | 'answer';
export type Preferences = {
  theme: 'system' | 'light' | 'dark';
  language: 'auto' | 'en' | 'fr';
  /** What the composer was last used for. */
  mode: Mode;
  /** Folders that are open in the tree. */
  open: string[];
};

export function createPreferences(storage: Storage): Store<Preferences> {
  return createStoredValue(storage, 'keepsake.preferences', (stored) => {
    const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Preferences>;
    return {
      theme: oneOf(given.theme, ['system', 'light', 'dark']),
      language: oneOf(given.language, ['auto', 'en', 'fr']),
      mode: oneOf(given.mode, ['file', 'ask', 'answer']),
      open: Array.isArray(given.open) ? given.open.filter((path) => typeof path === 'string') : ['projects'],
    };
  });
}

/** The first one when it is none of them. */
function oneOf<Choice extends string>(value: Choice | undefined, choices: [Choice, ...Choice[]]): Choice {
  return value !== undefined && choices.includes(value) ? value : choices[0];
}

/** One word on the page decides every colour. */
export function applyTheme({ theme }: Preferences): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
