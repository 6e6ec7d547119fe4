import { spawnSync } from 'node:child_process';
import type { Environment } from '../app/index.ts';
import { toInvocation } from './command-line.ts';
import { findExecutable } from './find-executable.ts';

/** A client that takes longer is probably waiting for input. */
const commandTimeoutMs = 120_000;

/** Runs a client's command. Returns its error output if it failed, or null on success. */
export function runCommand(
  {
    variables,
    cwd,
    environment,
  }: { variables: NodeJS.ProcessEnv; cwd: () => string; environment: Pick<Environment, 'searchPath'> },
  [name = '', ...words]: string[],
  input = '',
): string | null {
  const file = process.platform === 'win32' ? findExecutable(name, environment.searchPath) : null;
  const { program, args, isVerbatim } = toInvocation(file ?? name, words, variables['ComSpec']);
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
    env: variables,
    cwd: cwd(),
    stdio: [input === '' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    input,
    timeout: commandTimeoutMs,
  });
  // A command that does not read its input has not failed.
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') return error.message;
  return status === 0 ? null : `${stderr}${stdout}`.trim() || `exit code ${status}`;
}
