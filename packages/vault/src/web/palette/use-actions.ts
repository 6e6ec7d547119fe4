import { useNavigate } from '@tanstack/react-router';
import {
  Activity,
  Archive,
  CalendarDays,
  FileDown,
  FilePlus2,
  FolderInput,
  House,
  Inbox,
  Keyboard,
  Languages,
  MessageCircleQuestion,
  PenLine,
  Settings,
  SunMoon,
  Trash2,
} from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { parentFolder } from '../file-actions/file-action.ts';
import { useDailyNote } from '../file-actions/use-daily-note.ts';
import { useAsk } from '../answers/use-ask.ts';
import { focusComposer } from '../composer/composer-state.ts';
import { useServices } from '../shell/services.ts';
import { useViewer } from '../shell/use-viewer.ts';
import { useCurrentFile } from '../shell/use-current-file.ts';
import type { ComposerMode } from '../shell/preferences.ts';
import { useLanguage, useText } from '../text/use-text.ts';

type Action = {
  id: string;
  icon: LucideIcon;
  title: string;
  hint?: string;
  isAlways?: boolean;
  run: () => void;
};

/** The actions that are available on every page, filtered by the search terms. */
export function useActions(words: string, isCommand: boolean): Action[] {
  const { preferences, toasts, fileAction, isKeySheetOpen } = useServices();
  const askFor = useAsk();
  const openDailyNote = useDailyNote();
  const { canWrite } = useViewer();
  const text = useText();
  const language = useLanguage();
  const navigate = useNavigate();
  const compose = (mode: ComposerMode) => () => {
    preferences.set((all) => ({ ...all, mode }));
    focusComposer();
  };
  const open = useCurrentFile();
  const arrange = (kind: 'rename' | 'move' | 'delete', icon: LucideIcon): Action[] =>
    open === null || !canWrite
      ? []
      : [
          {
            id: kind,
            icon,
            title: text.arrange.does[kind],
            hint: open,
            run: () => fileAction.set({ kind, path: open }),
          },
        ];
  const go = (to: '/' | '/inbox' | '/answers' | '/activity' | '/settings') => () => void navigate({ to });
  const isDark =
    preferences.get().theme === 'dark' ||
    (preferences.get().theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const create: Action = {
    id: 'create',
    icon: FilePlus2,
    title: text.arrange.newNote,
    run: () => fileAction.set({ kind: 'create', folder: parentFolder(open ?? '') }),
  };
  const daily: Action = {
    id: 'daily',
    icon: CalendarDays,
    title: text.arrange.dailyNote,
    run: () => void openDailyNote(),
  };
  const importArchive: Action = {
    id: 'import',
    icon: FileDown,
    title: text.palette.importArchive,
    run: () => fileAction.set({ kind: 'import', file: null }),
  };
  const add: Action = { id: 'note', icon: Archive, title: text.palette.newNote, run: compose('file') };
  const all: Action[] = [
    ...(canWrite ? [create, daily] : []),
    ...arrange('rename', PenLine),
    ...arrange('move', FolderInput),
    ...arrange('delete', Trash2),
    ...(canWrite ? [add, importArchive] : []),
    { id: 'ask', icon: MessageCircleQuestion, title: text.palette.askQuestion, run: compose('ask') },
    { id: 'inbox', icon: Inbox, title: text.shell.inbox, run: go('/inbox') },
    { id: 'answers', icon: MessageCircleQuestion, title: text.shell.answers, run: go('/answers') },
    { id: 'activity', icon: Activity, title: text.shell.activity, run: go('/activity') },
    { id: 'settings', icon: Settings, title: text.shell.settings, run: go('/settings') },
    { id: 'keys', icon: Keyboard, title: text.palette.keys, hint: '?', run: () => isKeySheetOpen.set(true) },
    { id: 'home', icon: House, title: text.shell.home, run: go('/') },
    {
      id: 'theme',
      icon: SunMoon,
      title: text.palette.theme,
      run: () => preferences.set((present) => ({ ...present, theme: isDark ? 'light' : 'dark' })),
    },
    {
      id: 'language',
      icon: Languages,
      title: text.palette.language,
      run: () => preferences.set((present) => ({ ...present, language: language === 'fr' ? 'en' : 'fr' })),
    },
  ];
  const query = words.toLowerCase();
  const named = all.filter(({ title }) => title.toLowerCase().includes(query));
  if (words.length < 2 || isCommand) return named;
  const ask: Action = {
    id: 'ask-this',
    icon: MessageCircleQuestion,
    title: text.palette.ask(words),
    isAlways: true,
    run: () => void askFor(words).catch(toasts.showError),
  };
  return [...named, ask];
}
