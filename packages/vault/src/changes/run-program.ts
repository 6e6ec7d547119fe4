import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, ExecFileException } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scriptCommand } from '../executable/index.ts';
import { killedError } from './git-errors.ts';

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

export type RunOptions = {
  signal?: AbortSignal | undefined;
  /** Receives the output in pieces as it arrives; the result then contains none. Must not throw. */
  onOutput?: ((piece: Buffer) => void | Promise<void>) | undefined;
};

export type LauncherRequest =
  | { id: number; program: Program; isStreamed: boolean }
  | { id: number; abort: true };
export type LauncherResponse = { id: number; ended: ProgramResult } | { id: number; output: Buffer };

/**
 * The largest resident size at which this process starts programs itself. Starting a program copies the page tables of the
 * parent and blocks it meanwhile: with 800 MB, that takes longer than git itself. Above this size, a small helper process
 * starts programs.
 */
const maxForkRssBytes = 192 * 1024 * 1024;

export function runProgram(program: Program, options: RunOptions = {}): Promise<ProgramResult> {
  return process.memoryUsage.rss() < maxForkRssBytes
    ? runInProcess(program, options)
    : launcher.run(program, options);
}

export function runInProcess(
  program: Program,
  { signal, onOutput }: RunOptions = {},
): Promise<ProgramResult> {
  if (onOutput !== undefined) return streamInProcess(program, onOutput, signal);
  const { name, args, env, input } = program;
  return new Promise((resolve) => {
    const options = { env, encoding: 'buffer' as const, maxBuffer: 2 ** 30, signal, windowsHide: true };
    const child = execFile(name, args, options, (error, stdout, stderr) => {
      // Only the fields named here cross the process boundary.
      const failure = error && { message: error.message, code: error.code, signal: error.signal };
      resolve({ failure, stdout, stderr });
    });
    writeInput(child, input);
  });
}

function streamInProcess(
  { name, args, env, input }: Program,
  onOutput: NonNullable<RunOptions['onOutput']>,
  signal: AbortSignal | undefined,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    const child = spawn(name, args, { env, signal, windowsHide: true });
    let failure: ProgramResult['failure'] = null;
    const errors: Buffer[] = [];
    child.once('error', (error: NodeJS.ErrnoException) => {
      failure = { message: error.message, code: error.code, signal: undefined };
    });
    child.stderr.on('data', (piece: Buffer) => errors.push(piece));
    child.stdout.on('data', (piece: Buffer) => {
      child.stdout.pause();
      void Promise.resolve(onOutput(piece)).then(() => child.stdout.resume());
    });
    child.once('close', (code: number | null, killedBy: NodeJS.Signals | null) => {
      if (code !== 0)
        failure ??= { message: `${name} failed`, code: code ?? undefined, signal: killedBy ?? undefined };
      resolve({ failure, stdout: Buffer.alloc(0), stderr: Buffer.concat(errors) });
    });
    writeInput(child, input);
  });
}

function writeInput({ stdin }: ChildProcess, input: readonly Buffer[]): void {
  stdin?.on('error', () => undefined); // the exit code reports a failure
  for (const part of input) stdin?.write(part);
  stdin?.end();
}

type Launcher = { run(program: Program, options: RunOptions): Promise<ProgramResult> };
type Waiting = { end: (ended: ProgramResult | Error) => void; onOutput: RunOptions['onOutput'] };
type Started = { child: ChildProcess; waiting: Map<number, Waiting> };

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
    run(program, { signal, onOutput }) {
      const { child, waiting } = (started ??= startLauncher((ended) => {
        if (started?.child === ended) started = null;
      }));
      const id = (lastId += 1);
      const send = (message: LauncherRequest): void => void child.send(message, () => undefined);
      const abort = (): void => send({ id, abort: true });
      return new Promise<ProgramResult>((resolve, reject) => {
        const end: Waiting['end'] = (ended) => (ended instanceof Error ? reject(ended) : resolve(ended));
        waiting.set(id, { end, onOutput });
        // Keeps this process alive while a caller waits for the result.
        child.channel?.ref();
        send({ id, program, isStreamed: onOutput !== undefined });
        signal?.addEventListener('abort', abort, { once: true });
        if (signal?.aborted === true) abort();
      }).finally(() => signal?.removeEventListener('abort', abort));
    },
  };
}

function startLauncher(onEnd: (child: ChildProcess) => void): Started {
  const {
    command: [program, ...args],
    env,
  } = scriptCommand(fileURLToPath(launcherFile));
  const child = spawn(program, args, {
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  const waiting: Started['waiting'] = new Map();
  const finishRequest = (id: number, ended: ProgramResult | Error): void => {
    waiting.get(id)?.end(ended);
    waiting.delete(id);
    if (waiting.size === 0) child.channel?.unref();
  };
  const end = (): void => {
    onEnd(child);
    for (const id of waiting.keys()) finishRequest(id, killedError());
  };
  child.on('message', (response: LauncherResponse) => {
    if ('ended' in response) finishRequest(response.id, response.ended);
    else void waiting.get(response.id)?.onOutput?.(response.output);
  });
  child.once('error', end);
  child.once('exit', end);
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
