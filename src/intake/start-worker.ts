import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const worker = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : '../intake/worker.js',
  import.meta.url,
);

/**
 * Starts the process that converts, under Node's permissions: it cannot write, start processes, or read anything but
 * Keepsake and its packages, and is told nothing of the environment. Native code (PDFium) is not bound by them.
 */
export function startWorker(memoryBytes: number, file = worker): ChildProcess {
  const packages = createRequire(import.meta.url).resolve.paths('keepsake') ?? [];
  const readable = [fileURLToPath(new URL('../..', import.meta.url)), ...packages, packagesAsTheyLie()];
  return fork(file, {
    execArgv: [
      `--max-old-space-size=${Math.ceil((memoryBytes / 1024 / 1024) * 0.75)}`,
      '--permission',
      '--allow-addons',
      '--allow-worker',
      ...readable.map((folder) => `--allow-fs-read=${folder}`),
    ],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Where the packages really are: the folder they are looked for in may be a link. */
function packagesAsTheyLie(): string {
  const entry = import.meta.resolve('unpdf');
  const folder = '/node_modules/';
  return fileURLToPath(entry.slice(0, entry.indexOf(folder) + folder.length));
}
