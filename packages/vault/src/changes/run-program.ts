import { execFile, fork } from 'node:child_process';
import type { ChildProcess, ExecFileException } from 'node:child_process';

/** A program to be run to its end. */
export type Program = {
  name: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: readonly Buffer[];
};

/** What it printed, and why it failed if it did. */
export type Ended = {
  failure: { message: string; code: ExecFileException['code']; signal: NodeJS.Signals | undefined } | null;
  stdout: Buffer;
  stderr: Buffer;
};

export type ToLauncher = { id: number; program: Program } | { id: number; abort: true };
export type FromLauncher = { id: number; ended: Ended };

/**
 * The system copies the tables of all memory of the process that starts a program, and nothing else is done there meanwhile: with
 * 800 MB of them that takes longer than git does. Above this, a small process of our own starts programs.
 */
const largeProcess = 192 * 1024 * 1024;

export function runProgram(program: Program, signal?: AbortSignal): Promise<Ended> {
  return process.memoryUsage.rss() < largeProcess ? runHere(program, signal) : launcher.run(program, signal);
}

export function runHere({ name, args, env, input }: Program, signal?: AbortSignal): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env, encoding: 'buffer' as const, maxBuffer: 2 ** 30, signal };
    const child = execFile(name, args, options, (error, stdout, stderr) => {
      // What crosses between processes is what is named here.
      const failure = error && { message: error.message, code: error.code, signal: error.signal };
      resolve({ failure, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined); // its end is reported by the exit code
    for (const part of input) child.stdin?.write(part);
    child.stdin?.end();
  });
}

type Launcher = { run(program: Program, signal?: AbortSignal): Promise<Ended> };
type Started = { child: ChildProcess; waiting: Map<number, (ended: Ended | Error) => void> };

/** Nothing is started before it is needed, and one is enough for all vaults: how large a process is, is a matter of all of it. */
const launcher = createLauncher();

const launcherFile = new URL(
  import.meta.url.endsWith('.ts') ? './program-launcher.ts' : '../changes/program-launcher.js',
  import.meta.url,
);

function createLauncher(): Launcher {
  let started: Started | null = null;
  let lastId = 0;
  return {
    run(program, signal) {
      const { child, waiting } = (started ??= startLauncher((ended) => {
        if (started?.child === ended) started = null;
      }));
      const id = (lastId += 1);
      const tell = (message: ToLauncher): void => void child.send(message, () => undefined);
      const abort = (): void => tell({ id, abort: true });
      return new Promise<Ended>((resolve, reject) => {
        waiting.set(id, (ended) => (ended instanceof Error ? reject(ended) : resolve(ended)));
        // While somebody waits for it, this process does not end.
        child.channel?.ref();
        tell({ id, program });
        signal?.addEventListener('abort', abort, { once: true });
        if (signal?.aborted === true) abort();
      }).finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}

function startLauncher(onEnd: (child: ChildProcess) => void): Started {
  const child = fork(launcherFile, {
    execArgv: [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const waiting: Started['waiting'] = new Map();
  const settle = (id: number, ended: Ended | Error): void => {
    waiting.get(id)?.(ended);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  };
  const end = (): void => {
    onEnd(child);
    for (const id of waiting.keys()) settle(id, new Error('the process that starts programs has ended'));
  };
  child.on('message', ({ id, ended }: FromLauncher) => settle(id, ended));
  child.once('error', end);
  child.once('exit', end);
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
