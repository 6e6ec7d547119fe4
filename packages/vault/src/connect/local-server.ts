import { openVaultRoot, resolveVault } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { ownCommand } from '../executable/index.ts';
import type { ServerEndpoint } from './server.ts';

export type LocalOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  isReadOnly: boolean;
  /** The command of this program, for a client that would not find `keepsake` in its PATH. */
  absoluteCommand: readonly string[] | null;
  platform?: NodeJS.Platform;
  environment: Environment;
};

/** The command with which a client on this machine starts Keepsake for an existing vault. */
export function createStdioServer({
  vault,
  state,
  isReadOnly,
  absoluteCommand,
  environment,
  platform = process.platform,
}: LocalOptions): ServerEndpoint {
  openVaultRoot({ vault, state, environment });
  const folder = resolveVault(vault, environment);
  const args = ['mcp', '--vault', folder];
  if (state !== undefined) args.push('--state', environment.resolve(state));
  if (isReadOnly) args.push('--read-only');
  // On Windows `keepsake` is a script, which clients cannot start without a shell.
  const isFound = absoluteCommand === null && platform !== 'win32';
  const [command = '', ...before] = isFound
    ? ['keepsake']
    : (absoluteCommand ?? ownCommand(process.argv[1] ?? '', environment.searchPath));
  return { kind: 'stdio', command, args: [...before, ...args] };
}
