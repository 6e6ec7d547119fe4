import { findOwnerProcess, resolveStateFolder } from '../packages/vault/src/app/index.ts';
import type { Environment } from '../packages/vault/src/app/index.ts';

/** The model that the agents of a running service use; null if they have none. */
export async function readServedModel(vault: string, environment: Environment): Promise<string | null> {
  const owner = findOwnerProcess(resolveStateFolder({ vault, environment }), Date.now);
  const status = await fetch(`${owner?.url}/api/vaults/vault/status`, {
    headers: { authorization: `Bearer ${owner?.secret}` },
  });
  const { models } = (await status.json()) as { models: { agents: string | null } };
  return models.agents;
}
