import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Environment } from '../../packages/vault/src/app/index.ts';
import { openTokens, startMultiVaultServer } from '../../packages/vault/src/server/index.ts';
import type { MultiVaultServer, TokenScope } from '../../packages/vault/src/server/index.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';
import type { Files } from '../temporary-vault.ts';

export type VaultsServer = MultiVaultServer & {
  folder: string;
  environment: Environment;
  log: Record<string, unknown>[];
  /** Creates a token while the vault is suspended, as a command does. */
  tokenOf(name: string, scope?: TokenScope): Promise<string>;
};

type Options = { idleTimeoutMs?: number; publicUrl?: string; port?: number; web?: string };

/** Serves vaults, given by name, from one folder on one port. */
export async function vaultsServer(
  vaults: Record<string, Files>,
  options: Options = {},
): Promise<VaultsServer> {
  const root = temporaryFolder();
  const folder = join(root, 'vaults');
  layOut(root, { vaults: null });
  for (const [name, files] of Object.entries(vaults))
    layOut(join(folder, name), {
      '.keepsake/vault.json': JSON.stringify({
        id: `id-of-${name.length}-${Object.keys(vaults).indexOf(name)}`,
        version: 1,
      }),
      ...files,
    });
  const environment = readEnvironment({
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: join(root, 'config'),
    XDG_STATE_HOME: join(root, 'state'),
  });
  const log: Record<string, unknown>[] = [];
  const server = await startMultiVaultServer({
    folder,
    environment,
    log: (entry) => void log.push(entry as Record<string, unknown>),
    ...options,
  });
  onTestFinished(() => server.close());
  return {
    ...server,
    folder,
    environment,
    log,
    async tokenOf(name, scope = 'write') {
      const keepsake = await openKeepsake({ vault: join(folder, name), environment });
      keepsake.state.ensureAdopted();
      const { secret } = openTokens(keepsake)().create('a program', scope);
      await keepsake.close();
      return secret;
    },
  };
}
