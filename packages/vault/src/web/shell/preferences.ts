import { createPersistentStore } from '../live/store.ts';
import type { Store } from '../live/store.ts';

export type ComposerMode = 'file' | 'ask' | 'answer';
export type Preferences = {
  theme: 'system' | 'light' | 'dark';
  language: 'auto' | 'en' | 'fr';
  /** The last mode of the composer. */
  mode: ComposerMode;
  /** The folders that are expanded in the tree. */
  open: string[];
  /** Whether the hint about the missing model was dismissed. */
  isModelHintDismissed: boolean;
};

export function createPreferences(storage: Storage): Store<Preferences> {
  return createPersistentStore(storage, 'keepsake.preferences', (stored) => {
    const saved = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Preferences>;
    return {
      theme: oneOf(saved.theme, ['system', 'light', 'dark']),
      language: oneOf(saved.language, ['auto', 'en', 'fr']),
      mode: oneOf(saved.mode, ['file', 'ask', 'answer']),
      isModelHintDismissed: saved.isModelHintDismissed === true,
      open: Array.isArray(saved.open) ? saved.open.filter((path) => typeof path === 'string') : ['projects'],
    };
  });
}

/** The value if it is one of the choices, otherwise the first choice. */
function oneOf<Choice extends string>(value: Choice | undefined, choices: [Choice, ...Choice[]]): Choice {
  return value !== undefined && choices.includes(value) ? value : choices[0];
}

/** Sets the attribute that selects the color scheme. */
export function applyTheme({ theme }: Preferences): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
