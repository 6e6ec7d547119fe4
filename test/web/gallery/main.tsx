import { createRoot } from 'react-dom/client';
import { createStore } from '../../../packages/vault/src/web/live/store.ts';
import { createPreferences } from '../../../packages/vault/src/web/shell/preferences.ts';
import { ServicesProvider } from '../../../packages/vault/src/web/shell/services.ts';
import type { Services } from '../../../packages/vault/src/web/shell/services.ts';
import type { Text } from '../../../packages/vault/src/web/text/en.ts';
import { resolveLanguage, loadFrench } from '../../../packages/vault/src/web/text/use-text.ts';
import { createToasts } from '../../../packages/vault/src/web/ui/toasts.ts';
import { ComponentsPage } from './components-page.tsx';

const preferences = createPreferences(localStorage);
const frenchText = createStore<Text | null>(null);
// The components need only these services; this page has no server.
const services = {
  preferences,
  frenchText,
  toasts: createToasts(),
  pageTitle: createStore(''),
  isMember: createStore(false),
} as Services;
const isReady = resolveLanguage(preferences.get()) === 'fr' ? loadFrench(frenchText) : Promise.resolve();

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root element');
void isReady.then(() =>
  createRoot(root).render(
    <ServicesProvider value={services}>
      <main className="h-full overflow-y-auto">
        <ComponentsPage />
      </main>
    </ServicesProvider>,
  ),
);
