import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { program } from '../process-variables.ts';

const interfaceConfig = 'vite.config.ts';

/**
 * Builds the web interface, or the page that another Vite configuration builds, from the current sources. The result is
 * cached by their hash. A tested build contains the interface already.
 */
export function buildWeb(config = interfaceConfig): string {
  if (config === interfaceConfig && process.env['TESTED_PROGRAM'] !== undefined)
    return resolve(program, '../../web');
  const cache = resolve('node_modules/.cache/keepsake-web');
  const sources = [
    interfaceConfig,
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
