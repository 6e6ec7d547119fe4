import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelError, reasonOf } from './error.ts';
import { gpuOption } from './llama.ts';

export const runtimeVersion = '3.20.0';

type RuntimeProgress = { step: 'download'; packages: string[] } | { step: 'check' };

type InstallOptions = {
  folder: string;
  /** Also fetches what drives a graphics card, many times as large. */
  gpu: boolean;
  onProgress: (progress: RuntimeProgress) => void;
  signal?: AbortSignal;
  /** What npm is to see of the environment: its PATH, proxies, registry. All of ours when it is not given. */
  environment?: NodeJS.ProcessEnv;
};

/** Whether the runtime of this version is there, with the binary of this platform. */
export function hasRuntime(folder: string): boolean {
  const [binary] = binaryPackages(process.platform, process.arch, false);
  return (
    binary !== undefined && [library, binary].every((name) => versionOf(folder, name) === runtimeVersion)
  );
}

/** Whether it was installed for a graphics card. On Apple's own processors the packages are the same either way. */
export function hasGpuRuntime(folder: string): boolean {
  return readPackage(folder)?.keepsake?.gpu === true;
}

/**
 * Installs the runtime for local models with npm. It takes its place only once it was seen to work; until then, and when
 * it fails, what was there stays. Two calls for the same folder must not run at once.
 */
export async function installRuntime(options: InstallOptions): Promise<void> {
  const { folder, gpu, onProgress, signal, environment } = options;
  const binary = binaryPackages(process.platform, process.arch, gpu);
  if (binary.length === 0)
    throw new ModelError(
      'bad-runtime',
      `there is no runtime for local models on ${process.platform} ${process.arch}`,
      { mend: 'use a model server instead' },
    );
  const packages = [library, ...binary].map((name) => `${name}@${runtimeVersion}`);
  const surroundings = { signal, env: environment };
  const staging = `${folder}.new`;
  try {
    await rm(staging, { recursive: true, force: true }); // left by an installation that was killed
    await mkdir(staging, { recursive: true });
    await writeFile(
      join(staging, 'package.json'),
      `${JSON.stringify({ private: true, keepsake: { gpu } })}\n`,
    );
    onProgress({ step: 'download', packages });
    await runNpm(packages, { ...surroundings, cwd: staging });
    // Source to build a binary from, which never happens here; it is as large as all the rest.
    await rm(join(staging, 'node_modules', library, 'llama', 'gitRelease.bundle'), { force: true });
    onProgress({ step: 'check' });
    await checkThatItLoads(staging, surroundings);
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ModelError) throw error;
    throw new ModelError('io', `${folder} cannot be written (${reasonOf(error)})`, {
      mend: 'is there space on the disk?',
      cause: error,
    });
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined); // why it failed matters more
  }
}

/** The packages with binaries for a platform: the one for the processor, then those for graphics cards. */
export function binaryPackages(platform: string, architecture: string, gpu: boolean): string[] {
  const [processor, ...cards] = binaries[`${platform}-${architecture}`] ?? [];
  if (processor === undefined) return [];
  return [processor, ...(gpu ? cards : [])].map((name) => `@node-llama-cpp/${name}`);
}

const library = 'node-llama-cpp';

const binaries: Partial<Record<string, string[]>> = {
  'linux-x64': ['linux-x64', 'linux-x64-cuda', 'linux-x64-cuda-ext', 'linux-x64-vulkan'],
  'linux-arm64': ['linux-arm64'],
  'linux-arm': ['linux-armv7l'],
  'linux-riscv64': ['linux-riscv64'],
  'darwin-arm64': ['mac-arm64-metal'],
  'darwin-x64': ['mac-x64'],
  'win32-x64': ['win-x64', 'win-x64-cuda', 'win-x64-cuda-ext', 'win-x64-vulkan'],
  'win32-arm64': ['win-arm64'],
};

function versionOf(folder: string, name: string): string | null {
  return readPackage(join(folder, 'node_modules', name))?.version ?? null;
}

function readPackage(folder: string): { version?: string; keepsake?: { gpu?: boolean } } | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as ReturnType<typeof readPackage>;
  } catch {
    return null;
  }
}

type RunOptions = { signal: AbortSignal | undefined; env: NodeJS.ProcessEnv | undefined; cwd: string };

/** All binaries are optional dependencies of the library, 800 MB of them: only the named ones are fetched. */
async function runNpm(packages: string[], options: RunOptions): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const only = ['--ignore-scripts', '--omit=optional', '--save-exact'];
  const args = ['install', '--prefix', '.', ...quiet, ...only, ...packages];
  // On Windows npm is a script, which only a shell runs; no argument here needs quoting.
  const shell = process.platform === 'win32';
  const { failure, output } = await run('npm', args, { ...options, shell });
  if (failure === null) return;
  const problem = failure.code === 'ENOENT' ? 'npm is not installed' : output || failure.message;
  throw new ModelError('bad-runtime', `the runtime for local models cannot be installed (${problem})`, {
    mend: 'check the connection and that npm works here',
    cause: failure,
  });
}

/**
 * In another process: a binary that does not fit this machine may end the one it is loaded in. From a file, as the
 * library starts processes of its own with the same arguments.
 */
async function checkThatItLoads(folder: string, options: Omit<RunOptions, 'cwd'>): Promise<void> {
  const script = join(folder, 'check.mjs');
  const settings = { gpu: gpuOption(false), build: 'never', skipDownload: true, progressLogs: false };
  await writeFile(
    script,
    `import { getLlama } from 'node-llama-cpp';
const llama = await getLlama(${JSON.stringify(settings)});
await llama.dispose();
`,
  );
  const { failure, output } = await run(process.execPath, [script], {
    ...options,
    cwd: folder,
    shell: false,
  });
  if (failure === null) return;
  throw new ModelError(
    'bad-runtime',
    `the runtime for local models was installed but does not load here (${output || failure.message})`,
    { mend: 'use a model server instead', cause: failure },
  );
}

type Ended = { failure: (Error & { code?: unknown }) | null; output: string };

function run(command: string, args: string[], options: RunOptions & { shell: boolean }): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(command, args, { ...options, maxBuffer: 2 ** 24 }, (failure, _, stderr) => {
      resolve({
        failure: failure as Ended['failure'],
        output: stderr.trim().split('\n').slice(0, 3).join(' '),
      });
    });
  });
}
