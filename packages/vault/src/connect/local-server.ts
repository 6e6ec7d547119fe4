import { resolveVault } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { resolveRoot } from '../vault/index.ts';
import type { ServerEndpoint } from './server.ts';

export type LocalOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  isReadOnly: boolean;
  /** The command of this program, for a client that would not find `keepsake` in its PATH. */
  absoluteCommand: readonly string[] | null;
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
  const [command = '', ...before] = absoluteCommand ?? ['keepsake'];
  return { kind: 'stdio', command, args: [...before, ...args] };
}
