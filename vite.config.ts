import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For browsers it asks the document for the meaning of entities; a worker has none, so it gets the table. */
const entities = 'decode-named-character-reference';
const withoutDocument = {
  name: 'without-document',
  enforce: 'pre' as const,
  resolveId: (id: string) => (id === entities ? fileURLToPath(import.meta.resolve(entities)) : null),
};

/** The web interface, into `packages/vault/dist/web`. Nothing is inlined: the pages' CSP allows only files of our own. */
export default defineConfig({
  root: 'packages/vault/src/web',
  plugins: [react(), tailwind()],
  worker: { format: 'es', plugins: () => [withoutDocument] },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['packages/vault/src/web/index.html', 'packages/vault/src/web/vaults.html'],
      // One file instead of dozens of small ones: each costs a request with its headers, and compresses worse.
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            // Without the entry modules: each page runs only its own.
            {
              name: 'application',
              tags: ['$initial'],
              test: /src[\\/](?:contract|web)[\\/](?!main|vaults[\\/]main).*\.tsx?$|preload-helper/,
              priority: 2,
            },
            // The parts of the home page that follow the first paint, with what they share with other pages.
            {
              name: 'home',
              test: /web[\\/](?:home[\\/](?!getting-started|import-files|deleted)|demo[\\/]demo-offer)/,
              includeDependenciesRecursively: true,
              priority: 1,
            },
            { name: 'icons', test: /node_modules[\\/]lucide-react/ },
          ],
        },
      },
    },
    modulePreload: { polyfill: false },
    target: ['chrome125', 'firefox128', 'safari18'],
    chunkSizeWarningLimit: 700,
  },
});
