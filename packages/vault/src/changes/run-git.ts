import { delimiter, join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Runs git in one repository. */
export type Git = (args: string[], input?: readonly Buffer[]) => Promise<Buffer>;

type Running = {
  folder: string;
  searchPath: string;
  alternates?: string[];
  /** Beyond those that every git of ours has. */
  variables?: Record<string, string>;
  settings?: readonly string[];
  /** Ends it. */
  signal?: AbortSignal | undefined;
};

/** What this prints, whatever the person's configuration says; it fails with what git said. */
export async function runGit(
  { folder, searchPath, alternates = [], variables = {}, settings = [], signal }: Running,
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
  // Looking for what two large files have in common takes minutes, and mostly finds nothing.
  const all = ['core.fsync=all', 'core.bigFileThreshold=1m', ...settings].flatMap((each) => ['-c', each]);
  const program = { name: 'git', args: [...all, ...args], env, input };
  const { failure, stdout, stderr } = await runProgram(program, signal);
  if (failure === null) return stdout;
  const said = stderr.toString().trim() || failure.message;
  const message = `git ${args.find((each) => !each.startsWith('-'))} failed: ${said}`;
  throw Object.assign(new Error(message), { code: failure.code, signal: failure.signal, stdout });
}
