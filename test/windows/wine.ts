import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWine } from './build-wine.ts';

/** What a program for Windows printed, and its exit code; null if it was killed after `timeoutMs`. */
export type Ended = { code: number | null; stdout: string; stderr: string };

type RunOptions = {
  variables?: Record<string, string>;
  timeoutMs?: number;
  /** A folder that Windows sees as `Z:\\w\\repository`; what is written to it is discarded. */
  repository?: string;
};

/** A Windows to run tests on. */
export type Windows = {
  /** A folder into which files are put before the first run. */
  folder: string;
  /** The path of a file in that folder, for programs for Windows. */
  path: (name: string) => string;
  /** Runs Node.js for Windows. All programs that it started are killed when it ends. */
  node: (args: string[], options?: RunOptions) => Promise<Ended>;
  remove: () => void;
};

/**
 * Wine; what its programs write is discarded, so that runs do not affect each other or the installation. Returns the reason
 * if there is no Wine.
 */
export function openWine(): Windows | { reason: string } {
  const found = findWine();
  if ('reason' in found) return found;
  const { root } = found;
  const place = mkdtempSync(join(tmpdir(), 'keepsake-windows-'));
  for (const name of ['upper/w/repository', 'work', 'root', 'written', 'work-of-written'])
    mkdirSync(join(place, name), { recursive: true });
  const hasGit = existsSync(join(root, 'w/git'));
  return {
    folder: join(place, 'upper/w'),
    path: (name) => `Z:\\w\\${name.replaceAll('/', '\\')}`,
    node: (args, { variables = {}, timeoutMs = 3_600_000, repository = '' } = {}) =>
      run(place, root, ['wine', 'Z:\\w\\node.exe', ...args], {
        timeoutMs,
        repository,
        variables: {
          ...(hasGit && { WINEPATH: 'Z:\\w\\git\\mingw64\\bin;Z:\\w\\git\\usr\\bin' }),
          ...variables,
        },
      }),
    remove: () => rmSync(place, { recursive: true, force: true }),
  };
}

const script = `
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root" &&
mount -t proc proc "$2/root/proc" && mount --rbind /dev "$2/root/dev" || exit 120
if [ -n "$3" ]; then
  mount -t overlay overlay -o "lowerdir=$3,upperdir=$2/written,workdir=$2/work-of-written" "$2/root/w/repository" || exit 121
fi
place=$2
shift 3
chroot "$place/root" "$@"
exit $?`;

async function run(
  place: string,
  root: string,
  command: string[],
  { variables, timeoutMs, repository }: Required<RunOptions>,
): Promise<Ended> {
  // Wine does not write to pipes of Linux.
  const files = ['stdout', 'stderr'].map((name) => join(place, name));
  const [stdout = 0, stderr = 0] = files.map((file) => openSync(file, 'w'));
  const isolated = ['--mount', '--pid', '--fork', '--kill-child'];
  const child = spawn(
    'unshare',
    [...isolated, 'sh', '-c', script, 'sh', root, place, repository, ...command],
    {
      stdio: ['ignore', stdout, stderr],
      env: {
        PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
        HOME: '/root',
        WINEPREFIX: '/w/prefix',
        WINEDEBUG: '-all',
        WINEDLLOVERRIDES: 'mscoree,mshtml=',
        NODE_DISABLE_COLORS: '1',
        ...variables,
      },
    },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await new Promise<number | null>((ended, failed) => {
    child.once('error', failed);
    child.once('close', ended);
  });
  clearTimeout(timer);
  for (const fd of [stdout, stderr]) closeSync(fd);
  const [said = '', complained = ''] = files.map((file) => readFileSync(file, 'utf8'));
  return { code, stdout: said, stderr: complained };
}
