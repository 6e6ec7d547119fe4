import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { createApi } from './api/client.ts';
import { place } from './api/place.ts';
import { ApiError } from './api/problem.ts';
import { createQueries } from './api/queries.ts';
import type { Arranging } from './arrange/arranging.ts';
import { createComposer } from './composer/composer-state.ts';
import { createDrafts } from './edit/drafts.ts';
import { startEventBridge } from './live/event-bridge.ts';
import type { Connection } from './live/event-stream.ts';
import { createStore, ownStorage } from './live/store.ts';
import { applyTheme, createPreferences } from './shell/preferences.ts';
import { createAppRouter } from './shell/router.tsx';
import { ServicesProvider } from './shell/services.ts';
import type { UndoConflict } from './shell/services.ts';
import type { Text } from './text/en.ts';
import { languageOf, loadFrench } from './text/use-text.ts';
import { createToasts } from './ui/toasts.ts';
import { rememberVault } from './vaults/known-vaults.ts';

// The policy of the page forbids code that is made from text.
config({ jitless: true });

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Events say when something is stale.
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      networkMode: 'always',
      retry: (count, error) => count < 1 && !(error instanceof ApiError),
    },
    mutations: { networkMode: 'always' },
  },
});
const api = createApi((path, init) => fetch(`${place()}${path}`, init));
const connection = createStore<Connection>('connecting');
const preferences = createPreferences(localStorage);
applyTheme(preferences.get());
preferences.subscribe(() => applyTheme(preferences.get()));
startEventBridge({ api, queries: client, connection });

const composer = createComposer(ownStorage(sessionStorage));
// Everything else that is typed or chosen is kept; a file is not, and is given only once.
addEventListener('beforeunload', (event) => {
  if (composer.get().attached.length > 0) event.preventDefault();
});

const french = createStore<Text | null>(null);
const isReady = languageOf(preferences.get()) === 'fr' ? loadFrench(french) : Promise.resolve();

const services = {
  api,
  client,
  connection,
  preferences,
  queries: createQueries(api),
  composer,
  drafts: createDrafts(ownStorage(sessionStorage)),
  toasts: createToasts(),
  french,
  palette: createStore(false),
  title: createStore(''),
  arranging: createStore<Arranging | null>(null),
  undoConflict: createStore<UndoConflict | null>(null),
};
connection.subscribe(() => {
  if (connection.get() === 'live') rememberVault(localStorage);
});
// Only what is installed can be shared to; everybody else has no worker between page and server.
if ('serviceWorker' in navigator && matchMedia('(display-mode: standalone)').matches)
  void navigator.serviceWorker.register(`${place()}/share-worker.js`).catch(() => undefined);

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
void isReady.then(() =>
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
