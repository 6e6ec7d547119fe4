import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ArchivedFile } from '../../packages/vault/src/executable/archive.ts';
import type { ExecutablePlatform } from './node-programs.ts';

/** The files of an installed package that run on a platform, without sources, types and addons of other systems. */
export function programFiles(installed: string, platform: ExecutablePlatform): ArchivedFile[] {
  return readdirSync(join(installed, 'node_modules'), { recursive: true, encoding: 'utf8' })
    .map((path) => `node_modules/${path}`)
    .filter((name) => isNeeded(name, platform))
    .toSorted()
    .flatMap((name) => {
      const stats = lstatSync(join(installed, name));
      if (!stats.isFile()) return [];
      return { name, mode: stats.mode & 0o700, bytes: readFileSync(join(installed, name)) };
    });
}

function isNeeded(name: string, platform: ExecutablePlatform): boolean {
  if (name.startsWith('node_modules/keepsake-vault/') || /licen[cs]e/i.test(name)) return true;
  if (!/\.(?:[cm]?js|json|node|so|dll|dylib|wasm)$/.test(name) || name.includes('/.')) return false;
  const [, prebuilt] = /\/better-sqlite3\/prebuilds\/(.+)$/.exec(name) ?? [];
  if (prebuilt !== undefined) return prebuilt === `${platform}.node`;
  return !/\/koffi-linux-\w+\/musl_/.test(name);
}
