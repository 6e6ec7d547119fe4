import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { createApi } from './api/client.ts';
import { vaultPrefix } from './api/vault-prefix.ts';
import { ApiError } from './api/api-error.ts';
import { createQueries } from './api/queries.ts';
import type { DemoParts } from './demo/demo-script.ts';
import type { FileAction } from './file-actions/file-action.ts';
import { createComposer } from './composer/composer-state.ts';
import { createDrafts } from './edit/drafts.ts';
import { startEventBridge } from './live/event-bridge.ts';
import { createFreshness } from './live/freshness.ts';
import type { ConnectionState } from './live/event-stream.ts';
import { createRecentFiles } from './live/recent-files.ts';
import { createStore, vaultStorage } from './live/store.ts';
import { applyTheme, createPreferences } from './shell/preferences.ts';
import { createAppRouter } from './shell/router.tsx';
import { ServicesProvider } from './shell/services.ts';
import type { UndoConflict } from './shell/services.ts';
import type { Text } from './text/en.ts';
import { hasUnsavedWords } from './shell/unsaved-words.ts';
import { waitForFrame } from './shell/wait-for-frame.ts';
import { resolveLanguage, loadFrench } from './text/use-text.ts';
import { createToasts } from './ui/toasts.ts';
import { rememberVault } from './vaults/known-vaults.ts';

// The content security policy forbids `eval`, which zod uses to compile schemas.
config({ jitless: true });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The event bridge invalidates queries when their data changes.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (count, error) => count < 1 && !(error instanceof ApiError),
    },
    mutations: { networkMode: 'always' },
  },
});
const freshness = createFreshness(() => void client.invalidateQueries());
const api = createApi(async (path, init) => {
  const response = await fetch(`${vaultPrefix()}${path}`, init);
  freshness.addResponse(response.headers.get('x-event-id'));
  return response;
});
const connection = createStore<ConnectionState>('connecting');
const preferences = createPreferences(localStorage);
applyTheme(preferences.get());
preferences.subscribe(() => applyTheme(preferences.get()));
startEventBridge({ api, queries: client, connection, freshness });

const composer = createComposer(vaultStorage(sessionStorage));
const drafts = createDrafts(vaultStorage(sessionStorage));
// Drafts survive a reload, but not the tab, and a page cannot know which of the two is about to happen.
addEventListener('beforeunload', (event) => {
  if (hasUnsavedWords({ drafts, composer })) event.preventDefault();
});

const frenchText = createStore<Text | null>(null);
const isReady = resolveLanguage(preferences.get()) === 'fr' ? loadFrench(frenchText) : Promise.resolve();

const services = {
  api,
  client,
  connection,
  preferences,
  queries: createQueries(api),
  composer,
  drafts,
  toasts: createToasts(),
  frenchText,
  isMember: createStore(false),
  isKeySheetOpen: createStore(false),
  recentFiles: createRecentFiles(vaultStorage(localStorage)),
  isPaletteOpen: createStore(false),
  pageTitle: createStore(''),
  demo: createStore<DemoParts | null>(null),
  fileAction: createStore<FileAction | null>(null),
  pendingUndoConflict: createStore<UndoConflict | null>(null),
};
connection.subscribe(() => {
  if (connection.get() === 'live') rememberVault(localStorage);
});
// Only an installed app is a share target. Browser tabs need no worker between page and server.
if ('serviceWorker' in navigator && matchMedia('(display-mode: standalone)').matches)
  void navigator.serviceWorker.register(`${vaultPrefix()}/share-worker.js`).catch(() => undefined);

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root element');
void Promise.all([isReady, waitForFrame()]).then(() =>
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <ServicesProvider value={services}>
          <RouterProvider router={createAppRouter()} />
        </ServicesProvider>
      </QueryClientProvider>
    </StrictMode>,
  ),
);
