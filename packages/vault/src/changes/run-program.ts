import { execFile, fork } from 'node:child_process';
import type { ChildProcess, ExecFileException } from 'node:child_process';

/** A program to run until it exits. */
export type Program = {
  name: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  input: readonly Buffer[];
};

/** The output of a program, and why it failed if it did. */
export type ProgramResult = {
  failure: { message: string; code: ExecFileException['code']; signal: NodeJS.Signals | undefined } | null;
  stdout: Buffer;
  stderr: Buffer;
};

export type LauncherRequest = { id: number; program: Program } | { id: number; abort: true };
export type LauncherResponse = { id: number; ended: ProgramResult };

/**
 * The largest resident size at which this process starts programs itself. Starting a program copies the page tables of the
 * parent and blocks it meanwhile: with 800 MB, that takes longer than git itself. Above this size, a small helper process
 * starts programs.
 */
const maxForkRssBytes = 192 * 1024 * 1024;

export function runProgram(program: Program, signal?: AbortSignal): Promise<ProgramResult> {
  return process.memoryUsage.rss() < maxForkRssBytes
    ? runInProcess(program, signal)
    : launcher.run(program, signal);
}

export function runInProcess(
  { name, args, env, input }: Program,
  signal?: AbortSignal,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const options = { env, encoding: 'buffer' as const, maxBuffer: 2 ** 30, signal };
    const child = execFile(name, args, options, (error, stdout, stderr) => {
      // Only the fields named here cross the process boundary.
      const failure = error && { message: error.message, code: error.code, signal: error.signal };
      resolve({ failure, stdout, stderr });
    });
    child.stdin?.on('error', () => undefined); // the exit code reports a failure
    for (const part of input) child.stdin?.write(part);
    child.stdin?.end();
  });
}

type Launcher = { run(program: Program, signal?: AbortSignal): Promise<ProgramResult> };
type Started = { child: ChildProcess; waiting: Map<number, (ended: ProgramResult | Error) => void> };

/** Started on first use, and shared by all vaults, because the limit applies to the process as a whole. */
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
      const send = (message: LauncherRequest): void => void child.send(message, () => undefined);
      const abort = (): void => send({ id, abort: true });
      return new Promise<ProgramResult>((resolve, reject) => {
        waiting.set(id, (ended) => (ended instanceof Error ? reject(ended) : resolve(ended)));
        // Keeps this process alive while a caller waits for the result.
        child.channel?.ref();
        send({ id, program });
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
  const finishRequest = (id: number, ended: ProgramResult | Error): void => {
    waiting.get(id)?.(ended);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  };
  const end = (): void => {
    onEnd(child);
    for (const id of waiting.keys()) finishRequest(id, new Error('the process that starts programs exited'));
  };
  child.on('message', ({ id, ended }: LauncherResponse) => finishRequest(id, ended));
  child.once('error', end);
  child.once('exit', end);
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
