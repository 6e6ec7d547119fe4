import type { Readable, Writable } from 'node:stream';
import type { ExitCode } from './exit-code.ts';

/** The parts of the process that the command line uses. */
export type Io = {
  /** Opened only by a command that reads it. */
  stdin: () => Input;
  stdout: Output;
  stderr: Output;
  variables: NodeJS.ProcessEnv;
  /** The current folder, from which relative paths start. Throws when it was deleted. */
  cwd: () => string;
  /** The script that Node.js was started with; running it again starts this program. */
  script: string;
  signals: {
    once(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', stop: () => void): unknown;
    off(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', stop: () => void): unknown;
  };
  /** Exits the process immediately. */
  exit: (code: ExitCode) => void;
};

type Input = Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };

/** `columns` is 0 for a terminal that does not know its width. */
export type Output = Writable & { isTTY?: boolean; columns?: number };
