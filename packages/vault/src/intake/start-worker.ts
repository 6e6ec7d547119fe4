import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { scriptCommand } from '../executable/index.ts';
import { sandboxArguments } from './sandbox.ts';

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : '../intake/worker.js',
  import.meta.url,
);

/**
 * Starts the converter process under Node's permission model: it cannot write, start processes, or read anything but Keepsake and its
 * packages, and it gets no variables of this process. Native code (PDFium) is restricted only by the `sandbox`, if there is one.
 */
export function spawnWorker(memoryBytes: number, sandbox: string | null, file = worker): ChildProcess {
  const packages = createRequire(import.meta.url).resolve.paths('keepsake') ?? [];
  const readable = [fileURLToPath(new URL('../..', import.meta.url)), ...packages, realPackagesPath()];
  const { command: program, env } = scriptCommand(fileURLToPath(file), [
    `--max-old-space-size=${Math.ceil((memoryBytes / 1024 / 1024) * 0.75)}`,
    '--permission',
    '--allow-addons',
    '--allow-worker',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
  ]);
  const [command, ...args] =
    sandbox === null ? program : [sandbox, ...sandboxArguments([process.execPath, ...readable]), ...program];
  return spawn(command, args, {
    env,
    serialization: 'advanced',
    windowsHide: true,
    stdio: ['ignore', 'ignore', sandbox === null ? 'ignore' : 'pipe', 'ipc'],
  });
}

/** The real path of the packages: `node_modules` may be a symbolic link. */
function realPackagesPath(): string {
  const entry = import.meta.resolve('unpdf');
  const folder = '/node_modules/';
  return fileURLToPath(entry.slice(0, entry.indexOf(folder) + folder.length));
}
