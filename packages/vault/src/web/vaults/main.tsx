import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { applyTheme, createPreferences } from '../shell/preferences.ts';
import { resolveLanguage } from '../text/use-text.ts';
import { VaultsPage } from './vaults-page.tsx';

// The content security policy forbids `eval`, which zod uses to compile schemas.
config({ jitless: true });

const preferences = createPreferences(localStorage).get();
applyTheme(preferences);
const root = document.querySelector('#root');
if (root === null) throw new Error('the page has no #root element');
createRoot(root).render(
  <StrictMode>
    <VaultsPage language={resolveLanguage(preferences)} />
  </StrictMode>,
);
