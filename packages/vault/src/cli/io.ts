import type { Readable, Writable } from 'node:stream';
import type { ExitCode } from './exit-code.ts';

/** What the command line takes from the process around it. */
export type Io = {
  /** Opened only by a command that reads it. */
  stdin: () => Input;
  stdout: Output;
  stderr: Output;
  variables: NodeJS.ProcessEnv;
  /** The folder that relative paths start from. Throws when it was deleted. */
  cwd: () => string;
  /** The file that Node.js was started with, which starts this program again. */
  script: string;
  signals: {
    once(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown;
    off(signal: 'SIGINT' | 'SIGTERM', stop: () => void): unknown;
  };
  /** Ends the process at once. */
  exit: (code: ExitCode) => void;
};

type Input = Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };

/** `columns` is 0 for a terminal that does not know its width. */
export type Output = Writable & { isTTY?: boolean; columns?: number };
