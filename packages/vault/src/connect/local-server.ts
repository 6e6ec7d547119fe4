import { chooseVault } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { openRoot } from '../vault/index.ts';
import type { Server } from './server.ts';

export type LocalOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  isReadOnly: boolean;
  /** The program and the script that run now, for a client that would not find `keepsake`. */
  byPath: { program: string; script: string } | null;
  environment: Environment;
};

/** How a client on this machine starts Keepsake on a vault, which has to be there. */
export function localServer({ vault, state, isReadOnly, byPath, environment }: LocalOptions): Server {
  const folder = chooseVault(vault, environment);
  openRoot(folder);
  const args = ['mcp', '--vault', folder];
  if (state !== undefined) args.push('--state', environment.resolve(state));
  if (isReadOnly) args.push('--read-only');
  return byPath === null
    ? { kind: 'stdio', command: 'keepsake', args }
    : { kind: 'stdio', command: byPath.program, args: [byPath.script, ...args] };
}
