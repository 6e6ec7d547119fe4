import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installForPlatform, pack } from '../../scripts/install-packed.ts';
import { openWine } from './wine.ts';
import type { Windows } from './wine.ts';

/** Windows itself if this is one, and Wine otherwise. Returns the reason if there is neither. */
function openWindows(): Windows | { reason: string } {
  if (process.platform !== 'win32') return openWine();
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-windows-'));
  return {
    folder,
    path: (name) => join(folder, name),
    node(args, { variables = {} } = {}) {
      const options = {
        encoding: 'utf8',
        env: { ...process.env, ...variables },
        maxBuffer: 2 ** 28,
      } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
      return Promise.resolve({ code: status, stdout, stderr });
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** The installed program, in the folder of a Windows. */
export const installedProgram = 'app/node_modules/keepsake-vault/dist/cli/main.js';

/** A Windows on which the packed product is installed, with the scripts of the tests. */
export function openInstalled(): Windows | { reason: string } {
  const windows = openWindows();
  if ('reason' in windows) return windows;
  return prepare(windows, install);
}

/** Removes the folder if `work` fails. */
function prepare(windows: Windows, work: (folder: string) => void): Windows {
  try {
    work(windows.folder);
    return windows;
  } catch (error) {
    windows.remove();
    throw error;
  }
}

function install(folder: string): void {
  const packed = pack('vault', folder);
  mkdirSync(join(folder, 'app'));
  installForPlatform(packed.file, 'win32-x64', join(folder, 'app'));
  rmSync(packed.file);
  for (const name of ['windows', 'acceptance'])
    cpSync(join('test', name), join(folder, 'test', name), { recursive: true });
  cpSync('test/fuzz/seeds/pdf/words', join(folder, 'test/words.pdf'));
}

/** Native parts of packages that the tests load. */
const nativeParts =
  /^node_modules\/((?:@koromix|@llamaindex|@oxc-parser|@rolldown)\/[^/]+|lightningcss-[^/]+|sqlite-vec-[^/]+)$/;

/** Wine with the packages for Windows that the tests of the repository need beside its `node_modules`. */
export function openForTests(): Windows | { reason: string } {
  const wine = openWine();
  return 'reason' in wine ? wine : prepare(wine, installNativeParts);
}

function installNativeParts(folder: string): void {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; os?: string[]; cpu?: string[] }>;
  };
  const packages = Object.entries(lock.packages).flatMap(([path, { version, os, cpu = ['x64'] }]) => {
    const name = nativeParts.exec(path)?.[1];
    return name !== undefined && os?.includes('win32') && cpu.includes('x64') ? [`${name}@${version}`] : [];
  });
  const options = [
    '--prefix',
    folder,
    '--os=win32',
    '--cpu=x64',
    // npm would refuse packages for another system that are asked for by name.
    '--force',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  execFileSync('npm', ['install', '--silent', ...options, ...packages], { stdio: 'ignore' });
}
