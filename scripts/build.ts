// npm run build: bundles each package into its dist/, because a program of few files starts much faster than one of hundreds.
import { chmodSync, copyFileSync, cpSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RolldownOutput } from 'rolldown';
import { build } from 'vite';
import { bundleDoors, bundleProgram, sources } from './bundle.ts';
import { compressAssets } from './compress-assets.ts';
import { licencesOf } from './licences.ts';

for (const name of ['vault', 'service', 'benchmark'] as const) {
  const dist = `packages/${name}/dist`;
  rmSync(dist, { recursive: true, force: true });
  const outputs = [await bundleProgram(name)];
  if (name === 'vault') {
    await bundleDoors();
    const web = await build({ configFile: 'vite.config.ts', mode: 'production', logLevel: 'warn' });
    outputs.push(...([web].flat() as RolldownOutput[]));
    await compressAssets(join(dist, 'web'));
  }
  // A node of the service serves the same web interface, and the benchmark asks questions about the demonstration vault.
  if (name === 'service') cpSync('packages/vault/dist/web', join(dist, 'web'), { recursive: true });
  if (name === 'benchmark') cpSync('packages/vault/demo', 'packages/benchmark/demo', { recursive: true });
  writeFileSync(join(dist, 'licences.txt'), licencesOf(outputs.flatMap(({ output }) => output)));
  for (const prompt of globSync('**/prompt*.md', { cwd: sources })) {
    const copy = join(dist, prompt);
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(join(sources, prompt), copy);
  }
  chmodSync(join(dist, 'cli/main.js'), 0o755);
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(file, `packages/${name}/${file}`);
}
