import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { sandboxArguments } from './sandbox.ts';

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : '../intake/worker.js',
  import.meta.url,
);

/**
 * Starts the process that converts, under Node's permissions: it cannot write, start processes, or read anything but
 * Keepsake and its packages, and is told nothing of the environment. Native code (PDFium) is not bound by them; it is by the
 * `sandbox`, if there is one.
 */
export function startWorker(memoryBytes: number, sandbox: string | null, file = worker): ChildProcess {
  const packages = createRequire(import.meta.url).resolve.paths('keepsake') ?? [];
  const readable = [fileURLToPath(new URL('../..', import.meta.url)), ...packages, packagesAsTheyLie()];
  const program = [
    process.execPath,
    `--max-old-space-size=${Math.ceil((memoryBytes / 1024 / 1024) * 0.75)}`,
    '--permission',
    '--allow-addons',
    '--allow-worker',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    fileURLToPath(file),
  ];
  const [command = '', ...given] =
    sandbox === null ? program : [sandbox, ...sandboxArguments([process.execPath, ...readable]), ...program];
  return spawn(command, given, {
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', sandbox === null ? 'ignore' : 'pipe', 'ipc'],
  });
}

/** Where the packages really are: the folder they are looked for in may be a link. */
function packagesAsTheyLie(): string {
  const entry = import.meta.resolve('unpdf');
  const folder = '/node_modules/';
  return fileURLToPath(entry.slice(0, entry.indexOf(folder) + folder.length));
}
