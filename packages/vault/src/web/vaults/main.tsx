import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { applyTheme, createPreferences } from '../shell/preferences.ts';
import { languageOf } from '../text/use-text.ts';
import { VaultsPage } from './vaults-page.tsx';

// The policy of the page forbids code that is made from text.
config({ jitless: true });

const preferences = createPreferences(localStorage).get();
applyTheme(preferences);
const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <VaultsPage language={languageOf(preferences)} />
  </StrictMode>,
);
