import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';

/** An AI tool of the user that is installed on this machine. */
export type InstalledProgram = {
  /** The path of the executable. */
  file: string;
  /** The user's environment variables, which also say where the tool keeps its sign-in. */
  variables: NodeJS.ProcessEnv;
  /** The user's home folder. */
  home: string;
  /** A private folder for what the program needs, the same in every run. */
  folder: string;
};

export type ProgramProcess = {
  pid: number | undefined;
  /** Writes one JSON value as a line. Ignored if the process is gone. */
  writeLine: (value: object) => void;
  /** Ends the process and all processes that it has started. */
  kill: () => void;
};

type ProcessOptions = {
  args: readonly string[];
  cwd: string;
  variables: NodeJS.ProcessEnv;
  /** Called with each JSON object that the process prints. */
  onValue: (value: object) => void;
  /** Called once when the process has ended or could not be started, with its last error output. */
  onEnd: (problem: string) => void;
};

/** A process that ignores the request to end is killed after this time. */
const killDelayMs = 2_000;
const maxErrorCharacters = 2_000;

/** Starts a program in a process group of its own, so that nothing it starts outlives it or this process. */
export function startProgram(file: string, options: ProcessOptions): ProgramProcess {
  const { args, cwd, variables, onValue, onEnd } = options;
  const hasGroup = process.platform !== 'win32';
  const child = spawn(file, args, {
    cwd,
    env: variables,
    detached: hasGroup,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      if (hasGroup) process.kill(-child.pid, name);
      else child.kill(name);
    } catch {
      // All processes of the group have ended.
    }
  };
  const killNow = (): void => signal('SIGKILL');
  process.once('exit', killNow);
  let errors = '';
  let isOver = false;
  const end = (problem: string): void => {
    if (isOver) return;
    isOver = true;
    process.off('exit', killNow);
    // The process itself is gone, but its children may not be.
    killNow();
    onEnd(problem);
  };
  child.stderr.on('data', (piece: Buffer) => {
    errors = (errors + piece.toString()).slice(-maxErrorCharacters);
  });
  // A process that ended is reported by its exit.
  child.stdin.on('error', () => undefined);
  child.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  child.once('close', (code, killedBy) => end(errors.trim() || `exit code ${code ?? killedBy}`));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const value = parseLine(line);
    if (value !== undefined && !isOver) onValue(value);
  });
  return {
    pid: child.pid,
    writeLine: (value) => void (isOver || child.stdin.write(`${JSON.stringify(value)}\n`)),
    kill() {
      if (isOver) return;
      signal('SIGTERM');
      setTimeout(killNow, killDelayMs).unref();
    },
  };
}

/** Undefined if the line is not a JSON object, such as a warning. */
function parseLine(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The path of a program on the search path; null if it is not installed. Starts nothing. */
export function findProgram(name: string, searchPath: string): string | null {
  const endings = process.platform === 'win32' ? ['.exe'] : [''];
  const places = searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => endings.map((ending) => join(folder, `${name}${ending}`)));
  return places.find((file) => existsSync(file)) ?? null;
}

/** The output and exit code of a program that ends by itself; a code of null if it could not be run or was stopped. */
export function readProgram(
  { file, variables }: Pick<InstalledProgram, 'file' | 'variables'>,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { env: variables, signal, windowsHide: true }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
      resolve({ code, output: stdout.trim() || stderr.trim() });
    });
  });
}
