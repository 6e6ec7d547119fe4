import { spawnSync } from 'node:child_process';

/** A client that takes longer is probably waiting for input. */
const commandTimeoutMs = 120_000;

/** Runs a client's command. Returns its error output if it failed, or null on success. */
export function runCommand(
  { variables, cwd }: { variables: NodeJS.ProcessEnv; cwd: () => string },
  [program = '', ...args]: string[],
  input = '',
): string | null {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
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
