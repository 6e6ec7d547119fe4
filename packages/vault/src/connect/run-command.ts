import { spawnSync } from 'node:child_process';

/** A client that takes longer waits for somebody who is not there. */
const patience = 120_000;

/** What a client's own command said when it failed; null when it did what it should. */
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
    timeout: patience,
  });
  // Who does not read what is said to it is no failure.
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE') return error.message;
  return status === 0 ? null : `${stderr}${stdout}`.trim() || `it ended with ${status}`;
}
