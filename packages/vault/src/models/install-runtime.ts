import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSingleExecutable } from '../executable/index.ts';
import { ModelError, errorCodeOrMessage } from './error.ts';
import { toGpuOption } from './llama.ts';

export const runtimeVersion = '3.20.0';

type RuntimeProgress = { step: 'download'; packages: string[] } | { step: 'check' };

type InstallOptions = {
  folder: string;
  /** Also downloads the GPU packages, which are many times larger. */
  gpu: boolean;
  onProgress: (progress: RuntimeProgress) => void;
  signal?: AbortSignal;
  /** The environment for npm: PATH, proxies, registry. Defaults to that of this process. */
  environment?: NodeJS.ProcessEnv;
};

/** Whether this version of the runtime is installed, with the binary for this platform. */
export function hasRuntime(folder: string): boolean {
  const [binary] = binaryPackages(process.platform, process.arch, false);
  return (
    !isSingleExecutable() &&
    binary !== undefined &&
    [library, binary].every((name) => installedVersion(folder, name) === runtimeVersion)
  );
}

/** Whether the runtime was installed with GPU support. On Apple silicon the packages are the same either way. */
export function hasGpuRuntime(folder: string): boolean {
  return readPackage(folder)?.keepsake?.gpu === true;
}

/**
 * Installs the runtime for local models with npm. The new installation replaces the old one only after it has been
 * loaded successfully; if it fails, the old one stays. Two calls for the same folder must not run at the same time.
 */
export async function installRuntime(options: InstallOptions): Promise<void> {
  const { folder, gpu, onProgress, signal, environment } = options;
  // The runtime starts scripts with the program that loaded it, which has to be Node.js.
  if (isSingleExecutable())
    throw new ModelError('bad-runtime', 'local models need the npm package of Keepsake', {
      hint: 'run npm install --global keepsake-vault, or use a model server',
    });
  const binary = binaryPackages(process.platform, process.arch, gpu);
  if (binary.length === 0)
    throw new ModelError(
      'bad-runtime',
      `local models are not supported on ${process.platform} ${process.arch}`,
      { hint: 'use a model server instead' },
    );
  const packages = [library, ...binary].map((name) => `${name}@${runtimeVersion}`);
  const surroundings = { signal, env: environment };
  const staging = `${folder}.new`;
  try {
    await rm(staging, { recursive: true, force: true }); // left by an interrupted installation
    await mkdir(staging, { recursive: true });
    await writeFile(
      join(staging, 'package.json'),
      `${JSON.stringify({ private: true, keepsake: { gpu } })}\n`,
    );
    onProgress({ step: 'download', packages });
    await runNpm(packages, { ...surroundings, cwd: staging });
    // Removes the sources for compiling a binary, which are never used here and are as large as everything else.
    await rm(join(staging, 'node_modules', library, 'llama', 'gitRelease.bundle'), { force: true });
    onProgress({ step: 'check' });
    await verifyRuntimeLoads(staging, surroundings);
    await rm(folder, { recursive: true, force: true });
    await rename(staging, folder);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof ModelError) throw error;
    throw new ModelError('io', `cannot write ${folder} (${errorCodeOrMessage(error)})`, {
      hint: 'check the free disk space',
      cause: error,
    });
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined); // the original error matters more
  }
}

/** The packages with binaries for a platform: first the CPU package, then the GPU packages. */
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

function installedVersion(folder: string, name: string): string | null {
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

/** All binaries are optional dependencies of the library, 800 MB in total: only these packages are downloaded. */
async function runNpm(packages: string[], options: RunOptions): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const only = ['--ignore-scripts', '--omit=optional', '--save-exact'];
  const args = ['install', '--prefix', '.', ...quiet, ...only, ...packages];
  // On Windows npm is a script, which needs a shell; no argument here needs quoting.
  const shell = process.platform === 'win32';
  const { failure, output } = await runProcess('npm', args, { ...options, shell });
  if (failure === null) return;
  const problem = failure.code === 'ENOENT' ? 'npm is not installed' : output || failure.message;
  throw new ModelError('bad-runtime', `cannot install the local model runtime (${problem})`, {
    hint: 'check the network connection and that npm works',
    cause: failure,
  });
}

/**
 * Runs in another process, because an incompatible binary may crash it. The code is in a file and not in the arguments,
 * because the library starts child processes with the same arguments.
 */
async function verifyRuntimeLoads(folder: string, options: Omit<RunOptions, 'cwd'>): Promise<void> {
  const script = join(folder, 'check.mjs');
  const settings = { gpu: toGpuOption(false), build: 'never', skipDownload: true, progressLogs: false };
  await writeFile(
    script,
    `import { getLlama } from 'node-llama-cpp';
const llama = await getLlama(${JSON.stringify(settings)});
await llama.dispose();
`,
  );
  const { failure, output } = await runProcess(process.execPath, [script], {
    ...options,
    cwd: folder,
    shell: false,
  });
  if (failure === null) return;
  throw new ModelError(
    'bad-runtime',
    `the local model runtime was installed but cannot be loaded on this machine (${output || failure.message})`,
    { hint: 'use a model server instead', cause: failure },
  );
}

type ProcessResult = { failure: (Error & { code?: unknown }) | null; output: string };

function runProcess(
  command: string,
  args: string[],
  options: RunOptions & { shell: boolean },
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    execFile(command, args, { ...options, maxBuffer: 2 ** 24, windowsHide: true }, (failure, _, stderr) => {
      resolve({
        failure: failure as ProcessResult['failure'],
        output: stderr.trim().split('\n').slice(0, 3).join(' '),
      });
    });
  });
}
