import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs third-party packages separately from the dependencies of Keepsake, without running their scripts. */
export function installPackages(folder: string, packages: Record<string, string>, timeoutMs: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--prefix', folder, ...quiet, ...wanted], {
    stdio: 'pipe',
    timeout: timeoutMs,
  });
}
