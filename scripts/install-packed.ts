import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** npm is a script on Windows. */
const options = { encoding: 'utf8', shell: process.platform === 'win32' } as const;

export type Packed = { file: string; paths: string[] };

/** Packs a package as it would be published, into `folder`. */
export function pack(name: 'vault' | 'service' | 'benchmark', folder: string): Packed {
  const [packed] = JSON.parse(
    execFileSync(
      'npm',
      ['pack', '--json', '--silent', '--pack-destination', folder, `./packages/${name}`],
      options,
    ),
  ) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error('npm pack created no file');
  return { file: join(folder, packed.filename), paths: packed.files.map(({ path }) => path) };
}

/** Installs a package as a user would; its program is then in `bin` of `prefix`. */
export function installGlobally(file: string, prefix: string): void {
  const args = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', '--global', '--prefix', prefix, ...args, file], { stdio: 'ignore' });
}

export function megabytes(folder: string): number {
  return Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1024;
}

/** Installs a package with the dependencies of another platform, for example `linux-x64`, into `folder`. */
export function installForPlatform(file: string, platform: string, folder: string): void {
  const [os = '', cpu = ''] = platform.split('-');
  const target = ['--os', os, '--cpu', cpu, ...(os === 'linux' ? ['--libc', 'glibc'] : [])];
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', file, '--prefix', folder, ...target, ...quiet], {
    ...options,
    stdio: 'ignore',
  });
}
