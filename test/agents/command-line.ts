import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { program } from '../process-variables.ts';
import type { AgentVault } from './agent-vault.ts';

type Ran = { code: number | null; stdout: string; stderr: string };

/** The command line in a process of its own, on this vault and with its model. */
export function keepsake(
  { folder, state, variables }: AgentVault,
  args: string[],
  { input = '', stopAt }: { input?: string; stopAt?: RegExp } = {},
): Promise<Ran> {
  return new Promise((done) => {
    const env = { ...variables, KEEPSAKE_VAULT: folder, HOME: join(folder, '..') };
    const all = [program, ...args, ...(takesState(args) ? ['--state', state] : [])];
    const child = spawn(process.execPath, all, { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => {
      const isBefore = stopAt?.test(stderr) === false;
      stderr += String(chunk);
      if (isBefore && stopAt.test(stderr)) child.kill('SIGINT');
    });
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input);
  });
}

const takesState = ([command = '']: string[]): boolean => !['config', 'demo', 'eval'].includes(command);
