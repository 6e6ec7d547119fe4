import { delimiter, join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Runs git in one repository. */
export type RunGit = (args: string[], input?: readonly Buffer[]) => Promise<Buffer>;

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
export async function runGit(
  { folder, searchPath, alternates = [], variables = {}, settings = [], signal }: GitOptions,
  args: string[],
  input: readonly Buffer[],
): Promise<Buffer> {
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
  const program = { name: 'git', args: [...all, ...args], env, input };
  const { failure, stdout, stderr } = await runProgram(program, signal);
  if (failure === null) return stdout;
  const output = stderr.toString().trim() || failure.message;
  const message = `git ${args.find((each) => !each.startsWith('-'))} failed: ${output}`;
  throw Object.assign(new Error(message), { code: failure.code, signal: failure.signal, stdout });
}
