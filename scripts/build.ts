// Bundles src/ into dist/, which then holds nothing else: a program of a few files starts much faster than one of hundreds.
import { chmodSync, copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { build } from 'vite';
import { bundleDoors, bundleProgram } from './bundle.ts';
import { licencesOf } from './licences.ts';

rmSync('dist', { recursive: true, force: true });
const program = await bundleProgram('dist');
await bundleDoors('dist');
const web = await build({ configFile: 'vite.config.ts', mode: 'production', logLevel: 'warn' });
const outputs = [program, web].flat().flatMap((each) => ('output' in each ? each.output : []));
writeFileSync('dist/licences.txt', licencesOf(outputs));
for (const prompt of globSync('src/**/prompt.md')) {
  const copy = prompt.replace('src', 'dist');
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(prompt, copy);
}
chmodSync('dist/cli/main.js', 0o755);
