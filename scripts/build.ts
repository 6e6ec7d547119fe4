// Bundles src/ into dist/, which then holds nothing else: a program of a few files starts much faster than one of hundreds.
import { chmodSync, copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'vite';
import { bundleDoors, bundleProgram } from './bundle.ts';

rmSync('dist', { recursive: true, force: true });
await bundleProgram('dist');
await bundleDoors('dist');
await build({ configFile: 'vite.config.ts', mode: 'production', logLevel: 'warn' });
for (const prompt of globSync('src/**/prompt.md')) {
  const copy = prompt.replace('src', 'dist');
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(prompt, copy);
}
chmodSync('dist/cli/main.js', 0o755);
