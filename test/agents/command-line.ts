import { join } from 'node:path';
import { startCommand } from '../run-command.ts';
import type { AgentVault } from './agent-vault.ts';

type Options = { input?: string; stopAt?: RegExp; signal?: 'SIGINT' | 'SIGHUP'; isTerminal?: boolean };
type Ran = { code: number; stdout: string; stderr: string };

/** Runs a command on this vault with its model, and interrupts it as soon as its output matches `stopAt`. */
export async function keepsake(
  { folder, state, variables }: AgentVault,
  args: string[],
  { input = '', stopAt, signal = 'SIGINT', isTerminal = false }: Options = {},
): Promise<Ran> {
  const { ended, saying, send } = startCommand([...args, ...(takesState(args) ? ['--state', state] : [])], {
    input,
    isTerminal,
    variables: { ...variables, KEEPSAKE_VAULT: folder, HOME: join(folder, '..') },
  });
  if (stopAt !== undefined) {
    await saying(stopAt);
    send(signal);
  }
  const { code, out: stdout, err: stderr } = await ended;
  return { code, stdout, stderr };
}

const takesState = ([command = '']: string[]): boolean => !['config', 'demo'].includes(command);
