import { createRoot } from 'react-dom/client';
import { createStore } from '../../../packages/vault/src/web/live/store.ts';
import { createPreferences } from '../../../packages/vault/src/web/shell/preferences.ts';
import { ServicesProvider } from '../../../packages/vault/src/web/shell/services.ts';
import type { Services } from '../../../packages/vault/src/web/shell/services.ts';
import type { Text } from '../../../packages/vault/src/web/text/en.ts';
import { languageOf, loadFrench } from '../../../packages/vault/src/web/text/use-text.ts';
import { createToasts } from '../../../packages/vault/src/web/ui/toasts.ts';
import { ComponentsPage } from './components-page.tsx';

const preferences = createPreferences(localStorage);
const french = createStore<Text | null>(null);
// Components use no more of them: there is no server behind this page.
const services = { preferences, french, toasts: createToasts(), title: createStore('') } as Services;
const isReady = languageOf(preferences.get()) === 'fr' ? loadFrench(french) : Promise.resolve();

const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
void isReady.then(() =>
  createRoot(root).render(
    <ServicesProvider value={services}>
      <main className="h-full overflow-y-auto">
        <ComponentsPage />
      </main>
    </ServicesProvider>,
  ),
);
