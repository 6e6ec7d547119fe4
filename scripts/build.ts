// Bundles src/ into dist/, which then holds nothing else: a program of a few files starts much faster than one of hundreds.
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { rolldown } from 'rolldown';
import { build } from 'vite';

const entries = [
  'cli/main',
  // Started by it as a process and as a thread.
  'intake/worker',
  'changes/comparison-worker',
  // For campaigns and measurements, in which one process does what many commands would do.
  'app/index',
  'queue/index',
  'server/index',
  'tools/index',
  'search/qmd/vendor',
];

rmSync('dist', { recursive: true, force: true });
await bundle();
await build({ configFile: 'vite.config.ts', mode: 'production', logLevel: 'warn' });
for (const prompt of globSync('src/**/prompt.md')) {
  const copy = prompt.replace('src', 'dist');
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(prompt, copy);
}
chmodSync('dist/cli/main.js', 0o755);

/** With QMD, which as a dependency would bring 856 MB, most of it for models. */
async function bundle(): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  // Installed with Keepsake, or never loaded: we run models ourselves and cut no program code.
  const packages = [...Object.keys(dependencies), 'node-llama-cpp', 'web-tree-sitter'];
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform: 'node',
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog: (level, log, handler) => void (level === 'info' || handler(level, log)),
  });
  await bundled.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    // As deep as a room, so that what is found from there is found from here.
    chunkFileNames: 'bundle/[name]-[hash].js',
  });
  await bundled.close();
}
