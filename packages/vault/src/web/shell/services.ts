import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Api } from '../api/client.ts';
import type { ConflictChoice } from '../api/history-api.ts';
import type { Queries } from '../api/queries.ts';
import type { Arranging } from '../arrange/arranging.ts';
import type { Composer } from '../composer/composer-state.ts';
import type { Drafts } from '../edit/drafts.ts';
import type { Connection } from '../live/event-stream.ts';
import type { Store } from '../live/store.ts';
import type { Preferences } from './preferences.ts';
import type { Text } from '../text/en.ts';
import type { Toasts } from '../ui/toasts.ts';

export type UndoConflict = { message: string; choose: (choice: ConflictChoice) => void };

/** Everything that lives longer than a view. Made once, in `main.tsx`. */
export type Services = {
  api: Api;
  queries: Queries;
  client: QueryClient;
  connection: Store<Connection>;
  preferences: Store<Preferences>;
  composer: Store<Composer>;
  drafts: Drafts;
  toasts: Toasts;
  french: Store<Text | null>;
  palette: Store<boolean>;
  /** Where one is, for the tab; empty where nothing says so. */
  title: Store<string>;
  /** What is being named, moved or deleted; null when nothing is. */
  arranging: Store<Arranging | null>;
  /** Lines that were edited since what is being taken back; null when there are none. */
  undoConflict: Store<UndoConflict | null>;
};

const Context = createContext<Services | null>(null);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (services === null) throw new Error('there are no services');
  return services;
}
