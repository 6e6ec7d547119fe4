import { EventEmitter } from 'node:events';
import { resolve } from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Command } from 'commander';
import { benchmarkProgram } from '../packages/benchmark/src/cli/program.ts';
import { serviceProgram } from '../packages/service/src/cli/program.ts';
import { readEnvironment } from '../packages/vault/src/app/index.ts';
import type { Cli } from '../packages/vault/src/cli/command.ts';
import type { Io } from '../packages/vault/src/cli/io.ts';
import type { ProgramDefinition } from '../packages/vault/src/cli/index.ts';
import { buildProgram, runKeepsake } from '../packages/vault/src/cli/program.ts';
import { buildProgram as buildOther, runProgram } from '../packages/vault/src/cli/run-program.ts';

export type Ran = { code: number; out: string; err: string };

/** A command that is running in this process. */
export type Running = {
  ended: Promise<Ran>;
  /** Resolves with the match as soon as the output matches; rejects if the command ends first. */
  saying: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Sends the command a signal, as the user does with Ctrl-C or by closing the terminal. */
  send: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void;
};

type Options = {
  /** A program other than `keepsake`. */
  program?: ProgramDefinition;
  cwd?: string;
  /** The environment of the command, besides `PATH`. Without `HOME`, the command has no home folder to write to. */
  variables?: NodeJS.ProcessEnv;
  input?: string | Buffer | Readable;
  /** Receives standard output as it is written. */
  onOutput?: (text: string) => void;
  /** As if the reader of standard output had closed it, as `| head` does. */
  isOutputClosed?: boolean;
  isTerminal?: boolean;
  /** The width of the terminal. */
  columns?: number;
};

/** Runs `keepsake` with these arguments in this process, to its end. */
export function runCommand(args: readonly string[], options: Options = {}): Promise<Ran> {
  return startCommand(args, options).ended;
}

/** The same for a command that runs until it is stopped. */
export function startCommand(args: readonly string[], options: Options = {}): Running {
  let [out, err] = ['', ''];
  const [printed, signals] = [new EventEmitter(), new EventEmitter()];
  const io = createIo(options, {
    signals,
    onOut(text) {
      out += text;
      options.onOutput?.(text);
      printed.emit('text');
    },
    onErr(text) {
      err += text;
      printed.emit('text');
    },
  });
  const { program } = options;
  const running = program === undefined ? runKeepsake([...args], io) : runProgram(program, [...args], io);
  const ended = running.then((code) => ({ code, out, err }));
  return {
    ended,
    saying: (pattern) =>
      new Promise((found, fail) => {
        const look = (): void => {
          const match = pattern.exec(out) ?? pattern.exec(err);
          if (match !== null) found(match);
        };
        printed.on('text', look);
        look();
        ended.then(() => fail(new Error(`the command exited; it printed: ${out}${err}`)), fail);
      }),
    send: (signal) => void signals.emit(signal),
  };
}

/** For tests of the names, options and help of commands. */
export function createCli(): Cli {
  const io = createIo({}, { signals: new EventEmitter(), onOut: () => undefined, onErr: () => undefined });
  return {
    ...io,
    environment: readEnvironment(io.variables, io.cwd),
    finish: () => undefined,
    ignoreClosedOutput: () => undefined,
  };
}

/** The programs of all packages, with all their commands. */
export function buildPrograms(): Promise<Command[]> {
  const others = [serviceProgram, benchmarkProgram].map((each) => buildOther(each, createCli()));
  return Promise.all([buildProgram(createCli()), ...others]);
}

type Observer = {
  signals: EventEmitter;
  onOut: (text: string) => void;
  onErr: (text: string) => void;
};

function createIo(
  {
    cwd = process.cwd(),
    variables = {},
    input = '',
    isOutputClosed = false,
    isTerminal = false,
    columns = 80,
  }: Options,
  { signals, onOut, onErr }: Observer,
): Io {
  const stream = input instanceof Readable ? input : Readable.from([Buffer.from(input)]);
  const stdin = Object.assign(stream, { isTTY: isTerminal });
  return {
    stdin: () => stdin,
    stdout: createOutput(onOut, { isTTY: isTerminal, columns, isClosed: isOutputClosed }),
    stderr: createOutput(onErr, { isTTY: isTerminal, columns, isClosed: false }),
    variables: { PATH: process.env['PATH'], HOME: '/dev/null', ...variables },
    cwd: () => cwd,
    script: resolve('packages/vault/src/cli/main.ts'),
    signals,
    exit(code) {
      throw new Error(`the process would exit with ${code}`);
    },
  };
}

function createOutput(
  onText: (text: string) => void,
  { isClosed, ...terminal }: { isTTY: boolean; columns: number; isClosed: boolean },
): Io['stdout'] {
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      if (isClosed) return done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      onText(chunk.toString());
      done();
    },
  });
  return Object.assign(stream, terminal);
}
