import { useNavigate } from '@tanstack/react-router';
import { focusComposer } from '../composer/composer-state.ts';
import { useServices } from '../shell/services.ts';
import type { Mode } from '../shell/preferences.ts';
import { useLanguage, useText } from '../text/use-text.ts';

type Action = { id: string; title: string; hint?: string; isAlways?: boolean; run: () => void };

/** Everything that can be done from anywhere; with words, what they name. */
export function useActions(words: string, isCommand: boolean): Action[] {
  const { preferences, answers, composer } = useServices();
  const text = useText();
  const language = useLanguage();
  const navigate = useNavigate();
  const compose = (mode: Mode) => () => {
    preferences.set((all) => ({ ...all, mode }));
    focusComposer();
  };
  const go = (to: '/' | '/inbox' | '/activity' | '/settings') => () => void navigate({ to });
  const isDark =
    preferences.get().theme === 'dark' ||
    (preferences.get().theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const all: Action[] = [
    { id: 'note', title: text.palette.newNote, run: compose('file') },
    { id: 'ask', title: text.palette.askQuestion, run: compose('ask') },
    { id: 'inbox', title: text.shell.inbox, run: go('/inbox') },
    { id: 'activity', title: text.shell.activity, run: go('/activity') },
    { id: 'settings', title: text.shell.settings, run: go('/settings') },
    { id: 'home', title: text.shell.home, run: go('/') },
    {
      id: 'theme',
      title: text.palette.theme,
      run: () => preferences.set((present) => ({ ...present, theme: isDark ? 'light' : 'dark' })),
    },
    {
      id: 'language',
      title: text.palette.language,
      run: () => preferences.set((present) => ({ ...present, language: language === 'fr' ? 'en' : 'fr' })),
    },
  ];
  const wanted = words.toLowerCase();
  const named = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  if (words.length < 2 || isCommand) return named;
  const ask: Action = {
    id: 'ask-this',
    title: text.palette.ask(words),
    isAlways: true,
    run: () => {
      composer.set((present) => ({ ...present, text: words }));
      void navigate({ to: '/answer/$id', params: { id: answers.ask(words) } });
      composer.set((present) => ({ ...present, text: '' }));
    },
  };
  return [...named, ask];
}
