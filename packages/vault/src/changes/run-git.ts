import { delimiter, join } from 'node:path';
import { killedError, wasKilled } from './git-errors.ts';
import { runProgram } from './run-program.ts';
import type { Program, ProgramResult } from './run-program.ts';

/** Runs git in one repository. */
export type RunGit = (args: string[], input?: readonly Buffer[]) => Promise<Buffer>;

/** Runs git and passes its output on in pieces. If `onOutput` throws, git is ended, and the error is thrown. */
export type StreamGit = (args: string[], onOutput: (piece: Buffer) => void) => Promise<void>;

type GitOptions = {
  folder: string;
  searchPath: string;
  alternates?: string[];
  /** In addition to the environment variables of every git process. */
  variables?: Record<string, string>;
  settings?: readonly string[];
  /** Aborts git. */
  signal?: AbortSignal | undefined;
};

/** Returns git's output, independent of the user's configuration; throws with git's error message. */
export async function runGit(options: GitOptions, args: string[], input: readonly Buffer[]): Promise<Buffer> {
  const result = await runProgram(gitProgram(options, args, input), { signal: options.signal });
  return outputOf(result, args);
}

export async function streamGit(
  options: GitOptions,
  args: string[],
  onOutput: (piece: Buffer) => void,
): Promise<void> {
  const ending = new AbortController();
  let problem: { error: unknown } | null = null;
  const result = await runProgram(gitProgram(options, args, []), {
    signal: AbortSignal.any([ending.signal, ...(options.signal === undefined ? [] : [options.signal])]),
    onOutput(piece) {
      if (problem !== null) return;
      try {
        onOutput(piece);
      } catch (error) {
        problem = { error };
        ending.abort();
      }
    },
  });
  if (problem !== null) throw (problem as { error: unknown }).error;
  outputOf(result, args);
}

function gitProgram(
  { folder, searchPath, alternates = [], variables = {}, settings = [] }: GitOptions,
  args: string[],
  input: readonly Buffer[],
): Program {
  const env = {
    PATH: searchPath,
    GIT_DIR: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternates
      .map((each) => JSON.stringify(join(each, 'objects')))
      .join(delimiter),
    ...variables,
  };
  // Searching for deltas between large files takes minutes and rarely finds any.
  const all = ['core.fsync=all', 'core.bigFileThreshold=1m', ...settings].flatMap((each) => ['-c', each]);
  return { name: 'git', args: [...all, ...args], env, input };
}

function outputOf({ failure, stdout, stderr }: ProgramResult, args: readonly string[]): Buffer {
  if (failure === null) return stdout;
  if (wasKilled(failure, stderr)) throw killedError();
  const output = stderr.toString().trim() || failure.message;
  const message = `git ${args.find((each) => !each.startsWith('-'))} failed: ${output}`;
  throw Object.assign(new Error(message), { code: failure.code, signal: failure.signal, stdout });
}
