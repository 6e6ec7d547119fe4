import { useNavigate } from '@tanstack/react-router';
import {
  Activity,
  Archive,
  FilePlus2,
  FolderInput,
  House,
  Inbox,
  Languages,
  MessageCircleQuestion,
  PenLine,
  Settings,
  SunMoon,
  Trash2,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { parentOf } from '../arrange/arranging.ts';
import { useAsk } from '../answers/use-ask.ts';
import { focusComposer } from '../composer/composer-state.ts';
import { useServices } from '../shell/services.ts';
import { useShownFile } from '../shell/use-shown-file.ts';
import type { Mode } from '../shell/preferences.ts';
import { useLanguage, useText } from '../text/use-text.ts';

type Action = {
  id: string;
  sign: LucideIcon;
  title: string;
  hint?: string;
  isAlways?: boolean;
  run: () => void;
};

/** Everything that can be done from anywhere; with words, what they name. */
export function useActions(words: string, isCommand: boolean): Action[] {
  const { preferences, toasts, arranging } = useServices();
  const askFor = useAsk();
  const text = useText();
  const language = useLanguage();
  const navigate = useNavigate();
  const compose = (mode: Mode) => () => {
    preferences.set((all) => ({ ...all, mode }));
    focusComposer();
  };
  const open = useShownFile();
  const arrange = (kind: 'rename' | 'move' | 'delete', sign: LucideIcon): Action[] =>
    open === null
      ? []
      : [
          {
            id: kind,
            sign,
            title: text.arrange.does[kind],
            hint: open,
            run: () => arranging.set({ kind, path: open }),
          },
        ];
  const go = (to: '/' | '/inbox' | '/answers' | '/activity' | '/settings') => () => void navigate({ to });
  const isDark =
    preferences.get().theme === 'dark' ||
    (preferences.get().theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const all: Action[] = [
    {
      id: 'create',
      sign: FilePlus2,
      title: text.arrange.newNote,
      run: () => arranging.set({ kind: 'create', folder: parentOf(open ?? '') }),
    },
    ...arrange('rename', PenLine),
    ...arrange('move', FolderInput),
    ...arrange('delete', Trash2),
    { id: 'note', sign: Archive, title: text.palette.newNote, run: compose('file') },
    { id: 'ask', sign: MessageCircleQuestion, title: text.palette.askQuestion, run: compose('ask') },
    { id: 'inbox', sign: Inbox, title: text.shell.inbox, run: go('/inbox') },
    { id: 'answers', sign: MessageCircleQuestion, title: text.shell.answers, run: go('/answers') },
    { id: 'activity', sign: Activity, title: text.shell.activity, run: go('/activity') },
    { id: 'settings', sign: Settings, title: text.shell.settings, run: go('/settings') },
    { id: 'home', sign: House, title: text.shell.home, run: go('/') },
    {
      id: 'theme',
      sign: SunMoon,
      title: text.palette.theme,
      run: () => preferences.set((present) => ({ ...present, theme: isDark ? 'light' : 'dark' })),
    },
    {
      id: 'language',
      sign: Languages,
      title: text.palette.language,
      run: () => preferences.set((present) => ({ ...present, language: language === 'fr' ? 'en' : 'fr' })),
    },
  ];
  const wanted = words.toLowerCase();
  const named = all.filter(({ title }) => title.toLowerCase().includes(wanted));
  if (words.length < 2 || isCommand) return named;
  const ask: Action = {
    id: 'ask-this',
    sign: MessageCircleQuestion,
    title: text.palette.ask(words),
    isAlways: true,
    run: () => void askFor(words).catch(toasts.fail),
  };
  return [...named, ask];
}
