import { resolveVault } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { resolveRoot } from '../vault/index.ts';
import type { ServerEndpoint } from './server.ts';

export type LocalOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  isReadOnly: boolean;
  /** The running program and script, for a client that would not find `keepsake` in its PATH. */
  absoluteCommand: { program: string; script: string } | null;
  environment: Environment;
};

/** The command with which a client on this machine starts Keepsake for an existing vault. */
export function createStdioServer({
  vault,
  state,
  isReadOnly,
  absoluteCommand,
  environment,
}: LocalOptions): ServerEndpoint {
  const folder = resolveVault(vault, environment);
  resolveRoot(folder);
  const args = ['mcp', '--vault', folder];
  if (state !== undefined) args.push('--state', environment.resolve(state));
  if (isReadOnly) args.push('--read-only');
  return absoluteCommand === null
    ? { kind: 'stdio', command: 'keepsake', args }
    : { kind: 'stdio', command: absoluteCommand.program, args: [absoluteCommand.script, ...args] };
}
