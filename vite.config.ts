import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web interface, into `dist/web`. Nothing is inlined: the pages' CSP allows only files of our own. */
export default defineConfig({
  root: 'src/web',
  plugins: [react(), tailwind()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: ['chrome125', 'firefox128', 'safari18'],
    chunkSizeWarningLimit: 700,
  },
});
