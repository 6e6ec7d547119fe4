import type { QueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { ConflictingFile } from '../../contract/index.ts';
import type { Api } from '../api/client.ts';
import type { ConflictChoice } from '../api/history-api.ts';
import type { Queries } from '../api/queries.ts';
import type { DemoParts } from '../demo/demo-script.ts';
import type { FileAction } from '../file-actions/file-action.ts';
import type { ComposerState } from '../composer/composer-state.ts';
import type { Drafts } from '../edit/drafts.ts';
import type { ConnectionState } from '../live/event-stream.ts';
import type { Store } from '../live/store.ts';
import type { Preferences } from './preferences.ts';
import type { Text } from '../text/en.ts';
import type { Toasts } from '../ui/toasts.ts';

export type UndoConflict = { files: readonly ConflictingFile[]; choose: (choice: ConflictChoice) => void };

/** Objects that outlive a page. Created once, in `main.tsx`. */
export type Services = {
  api: Api;
  queries: Queries;
  client: QueryClient;
  connection: Store<ConnectionState>;
  preferences: Store<Preferences>;
  composer: Store<ComposerState>;
  drafts: Drafts;
  toasts: Toasts;
  frenchText: Store<Text | null>;
  /** Whether an invited member is signed in, and not the owner of the machine. */
  isMember: Store<boolean>;
  isPaletteOpen: Store<boolean>;
  isKeySheetOpen: Store<boolean>;
  /** The paths of the files that were opened last, newest first. */
  recentFiles: Store<readonly string[]>;
  /** The title of the current page, for the browser tab; may be empty. */
  pageTitle: Store<string>;
  /** The file action that is open; null if there is none. */
  fileAction: Store<FileAction | null>;
  /** What the demonstration shows while it is played; null otherwise. */
  demo: Store<DemoParts | null>;
  /** The conflict of an undo that waits for the user's choice; null if there is none. */
  pendingUndoConflict: Store<UndoConflict | null>;
};

const Context = createContext<Services | null>(null);

export const ServicesProvider = Context.Provider;

export function useServices(): Services {
  const services = useContext(Context);
  if (services === null) throw new Error('ServicesProvider is missing');
  return services;
}
