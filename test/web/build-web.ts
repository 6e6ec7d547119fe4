import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * Builds the web interface, or the page that another Vite configuration builds, from the current sources. The result is
 * cached by their hash.
 */
export function buildWeb(config = 'vite.config.ts'): string {
  const cache = resolve('node_modules/.cache/keepsake-web');
  const sources = [
    'vite.config.ts',
    ...globSync('{packages/vault/src/{web,contract},test/web/gallery}/**/*'),
  ].filter((file) => statSync(file).isFile());
  const hash = createHash('sha256').update(config);
  for (const file of sources.toSorted()) hash.update(file).update(readFileSync(file));
  const folder = `${cache}/${hash.digest('hex').slice(0, 16)}`;
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const own = `${folder}.${process.pid}`;
  // A production build, as users get it; the environment of vitest would select a development build.
  const { status, stderr } = spawnSync(
    process.execPath,
    ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--outDir', own, '--logLevel', 'error'],
    { env: { ...process.env, NODE_ENV: 'production' }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`the interface cannot be built: ${stderr}`);
  try {
    renameSync(own, folder);
  } catch {
    // Another process has already finished the same build.
    rmSync(own, { recursive: true, force: true });
  }
  return folder;
}
