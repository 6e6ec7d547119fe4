import type { Pool } from 'pg';
import { HostingError, vaultNotFound } from './error.ts';

export type NodeAddress = { owner: string; address: string };

/** In seconds of the database clock. A node whose last heartbeat is older than this counts as dead. */
const nodeTimeoutSeconds = 3;
/** Load of a vault that is waiting to be opened, relative to an open one. */
const openingVaultWeight = 20;
/** SQL condition on a row of `nodes`. */
export const nodeIsAliveSql = `seen_at > clock_timestamp() - interval '${nodeTimeoutSeconds} seconds'`;
/** SQL condition on a row of `nodes` and a row of `vaults`. */
export const sameTenantGroupSql = 'nodes.tenant_group = vaults.tenant_group';

export type NodeChoice = {
  /** The owner of the vault, its target node, or the less loaded of two nodes; null when no eligible node is alive. */
  best(vault: string): Promise<NodeAddress | null>;
  /** Another node that owns the vault or is eligible to own it. */
  another(vault: string): Promise<{ address: string }>;
  /** For a vault that a node of `group` failed to claim: its owner, or a node of the vault's own group. */
  otherThan(group: string, vault: string): Promise<NodeAddress>;
};

/** Selects the node that should serve a vault, from the point of view of `node`. */
export function createNodeChoice(pool: Pool, node: string): NodeChoice {
  const findOwnerNode = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select owner, address from vaults join nodes on nodes.id = owner where vaults.id = $1 and ${nodeIsAliveSql}`,
      [vault],
    );
    return rows[0] ?? null;
  };
  const findTargetNode = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select nodes.id as owner, address from vaults join nodes on nodes.id = wanted
       where vaults.id = $1 and ${sameTenantGroupSql} and not is_draining and ${nodeIsAliveSql}`,
      [vault],
    );
    return rows[0] ?? null;
  };
  /** Picks the less loaded of two random eligible nodes, so that a new node does not receive every vault of a stopped one. Ties go to this node. */
  const pickLessLoadedNode = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select id as owner, address
       from (select nodes.* from nodes join vaults on vaults.id = $2 and ${sameTenantGroupSql}
             where not is_draining and ${nodeIsAliveSql} order by random() limit 2) as two
       order by awake + ${openingVaultWeight} * opening, id <> $1 limit 1`,
      [node, vault],
    );
    return rows[0] ?? null;
  };
  return {
    best: async (vault) =>
      (await findOwnerNode(vault)) ?? (await findTargetNode(vault)) ?? (await pickLessLoadedNode(vault)),
    async another(vault) {
      const owner = await findOwnerNode(vault);
      if (owner !== null && owner.owner !== node) return owner;
      const { rows } = await pool.query<{ address: string }>(
        `select address from nodes join vaults on vaults.id = $2 and ${sameTenantGroupSql}
         where nodes.id <> $1 and not is_draining and ${nodeIsAliveSql} order by random() limit 1`,
        [node, vault],
      );
      if (rows[0] === undefined) throw new HostingError('unavailable', 'no other node is available');
      return rows[0];
    },
    async otherThan(group, vault) {
      const owner = await findOwnerNode(vault);
      if (owner !== null) return owner;
      const { rows } = await pool.query<{ group: string }>(
        'select tenant_group as "group" from vaults where id = $1',
        [vault],
      );
      if (rows[0] === undefined) throw vaultNotFound(vault);
      if (rows[0].group === group)
        throw new HostingError('unavailable', `the vault ${vault} is being moved to another node`, {
          hint: 'retry shortly',
        });
      const other = await pickLessLoadedNode(vault);
      if (other !== null) return other;
      throw new HostingError('unavailable', `no live node in group ${rows[0].group}`, {
        hint: `start one with: keepsake-service node --group ${rows[0].group}`,
      });
    },
  };
}
