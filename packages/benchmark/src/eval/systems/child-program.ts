import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { SystemError } from './memory-system.ts';

export type ChildOptions = {
  command: readonly string[];
  /** The working directory and home of the program. */
  folder: string;
  variables: Readonly<Record<string, string>>;
  /** How long one request may take. */
  timeoutMs: number;
};

export type ChildProgram = {
  /** Sends an object with a new `id` as one line, and resolves with the object that has the same `id`. Nothing is retried. */
  request: (message: Record<string, unknown>) => Promise<unknown>;
  notify: (message: Record<string, unknown>) => void;
  close: () => Promise<void>;
};

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

const closeTimeoutMs = 2_000;
const maxErrorCharacters = 2_000;

/** Starts a program that speaks lines of JSON on its standard streams, with an empty home. */
export function startChildProgram({ command, folder, variables, timeoutMs }: ChildOptions): ChildProgram {
  const [program = '', ...parameters] = command;
  const child = spawn(program, parameters, {
    cwd: folder,
    env: { HOME: folder, TMPDIR: folder, ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const waiting = new Map<number, Waiting>();
  let errors = '';
  /** Lines that answered nothing since the last answer. */
  let ignored: string[] = [];
  let count = 0;
  let ended: SystemError | null = null;
  const end = (reason: string): void => {
    const details = errors.trim();
    ended = new SystemError(details === '' ? reason : `${reason}: ${details.slice(-maxErrorCharacters)}`);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  const exited = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      end(`cannot start ${program}: ${error.message}`);
      resolve();
    });
    child.once('close', (code) => {
      end(`${program} ended with code ${code}`);
      resolve();
    });
  });
  // A program that ends early is reported by `close`.
  child.stdin.on('error', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-maxErrorCharacters);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = parseLine(line);
    const asked = message === null ? undefined : waiting.get(message.id);
    if (message === null || asked === undefined) {
      ignored.push(line);
      return;
    }
    ignored = [];
    asked.resolve(message);
    waiting.delete(message.id);
  });
  const write = (message: Record<string, unknown>): void =>
    void child.stdin.write(`${JSON.stringify(message)}\n`);
  return {
    notify: write,
    request: (message) =>
      new Promise((resolve, reject) => {
        if (ended !== null) {
          reject(ended);
          return;
        }
        const id = (count += 1);
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(
            new SystemError(`no response within ${timeoutMs / 1000} s; ${describeSilence(id, ignored)}`),
          );
        }, timeoutMs);
        const settle = { resolve, reject };
        waiting.set(id, {
          resolve: (value) => (clearTimeout(timer), settle.resolve(value)),
          reject: (error) => (clearTimeout(timer), settle.reject(error)),
        });
        write({ ...message, id });
      }),
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => void child.kill('SIGKILL'), closeTimeoutMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function describeSilence(id: number, [first, ...others]: readonly string[]): string {
  return first === undefined
    ? 'the program must flush standard output after each line'
    : `ignored ${others.length + 1} printed lines, because none is one JSON object with "id":${id}; the first: ${first.slice(0, 200)}`;
}

/** Programs also print other lines, which are ignored. */
function parseLine(line: string): { id: number } | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
      ? (value as { id: number })
      : null;
  } catch {
    return null;
  }
}
