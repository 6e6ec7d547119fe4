import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { ClientCommand } from './client-commands.ts';

/** A hook may take this long on a busy machine. */
const probeTimeoutMs = 15_000;

/** With this variable, a hook and `keepsake mcp` answer that they start, and do nothing else. */
export const probeVariable = 'KEEPSAKE_PROBE';

/**
 * Starts a command line as its client does, and returns why it does not start, or null. An earlier version, which does not know the
 * variable, gets no input and records nothing.
 */
export function probeCommand(
  { command }: Pick<ClientCommand, 'command'>,
  {
    variables,
    cwd,
    timeoutMs = probeTimeoutMs,
  }: { variables: NodeJS.ProcessEnv; cwd: string; timeoutMs?: number },
): Promise<string | null> {
  const [program = '', ...args] = [command].flat();
  const options = {
    cwd,
    // A hook is a line for a shell.
    shell: typeof command === 'string',
    env: { ...variables, [probeVariable]: '1', KEEPSAKE_CAPTURE: 'off' },
    stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    windowsHide: true,
    // A group of its own, so that a shell is killed together with what it started.
    detached: process.platform !== 'win32',
  };
  return new Promise((done) => {
    const child = spawn(program, args, options);
    let errors = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      kill(child);
    }, timeoutMs);
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString().slice(0, 10_000)));
    child.once('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      done(error.code === 'ENOENT' ? `${program} was not found` : error.message);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      const [said = ''] = errors.trim().split('\n');
      if (isLate) done(`it did not answer within ${timeoutMs / 1_000} s`);
      else done(code === 0 ? null : said === '' ? `exit code ${code}` : said.replace(/^error: /, ''));
    });
  });
}

function kill(child: ChildProcess): void {
  if (process.platform === 'win32' || child.pid === undefined) child.kill('SIGKILL');
  else process.kill(-child.pid, 'SIGKILL');
}
