import type { Pool } from 'pg';
import { HostingError, vaultNotFound } from './error.ts';
import type { RootKey } from './root-key.ts';
import { isSignedNode, requireSignedNode, signedNodeColumns } from './signed-node.ts';
import type { NodeRow } from './signed-node.ts';

export type NodeAddress = { owner: string; address: string };

/** In seconds of the database clock. A node whose last heartbeat is older than this counts as dead. */
const nodeTimeoutSeconds = 3;
/** Load of a vault that is waiting to be opened, relative to an open one. */
const openingVaultWeight = 20;
/** SQL condition on a row of `nodes`. */
export const nodeIsAliveSql = `seen_at > clock_timestamp() - interval '${nodeTimeoutSeconds} seconds'`;
/** SQL condition on a row of `nodes` and a row of `vaults`. */
export const sameTenantGroupSql = 'nodes.tenant_group = vaults.tenant_group';

type NodeChoiceParts = { pool: Pool; rootKey: RootKey };

export type NodeChoice = {
  /** The owner of the vault, its target node, or the less loaded of two nodes; null when no eligible node is alive. */
  best(vault: string): Promise<NodeAddress | null>;
  /** Another node that owns the vault or is eligible to own it. */
  another(vault: string): Promise<{ address: string }>;
  /** For a vault that a node of `group` failed to claim: its owner, or a node of the vault's own group. */
  otherThan(group: string, vault: string): Promise<NodeAddress>;
};

/** Selects the node that should serve a vault, from the point of view of `node`. Only signed addresses are returned. */
export function createNodeChoice({ pool, rootKey }: NodeChoiceParts, node: string): NodeChoice {
  const selectNodes = async (rest: string, values: readonly unknown[]): Promise<NodeRow[]> => {
    const { rows } = await pool.query<NodeRow>(`select ${signedNodeColumns} ${rest}`, [...values]);
    return rows;
  };
  const requireSigned = ([row]: readonly NodeRow[]): NodeAddress | null =>
    row === undefined ? null : toAddress(requireSignedNode(rootKey, row));
  /** A forged row must not keep requests from the other nodes. */
  const firstSigned = (rows: readonly NodeRow[]): NodeAddress | null => {
    const row = rows.find((each) => isSignedNode(rootKey, each));
    return row === undefined ? null : toAddress(row);
  };
  const findOwnerNode = async (vault: string): Promise<NodeAddress | null> =>
    requireSigned(
      await selectNodes(
        `from vaults join nodes on nodes.id = owner where vaults.id = $1 and ${nodeIsAliveSql}`,
        [vault],
      ),
    );
  const findTargetNode = async (vault: string): Promise<NodeAddress | null> =>
    firstSigned(
      await selectNodes(
        `from vaults join nodes on nodes.id = wanted
         where vaults.id = $1 and ${sameTenantGroupSql} and not is_draining and ${nodeIsAliveSql}`,
        [vault],
      ),
    );
  /** Picks the less loaded of two random eligible nodes, so that a new node does not receive every vault of a stopped one. Ties go to this node. */
  const pickLessLoadedNode = async (vault: string): Promise<NodeAddress | null> =>
    firstSigned(
      await selectNodes(
        `from (select nodes.* from nodes join vaults on vaults.id = $2 and ${sameTenantGroupSql}
               where not is_draining and ${nodeIsAliveSql} order by random() limit 2) as nodes
         order by awake + ${openingVaultWeight} * opening, id <> $1 limit 2`,
        [node, vault],
      ),
    );
  return {
    best: async (vault) =>
      (await findOwnerNode(vault)) ?? (await findTargetNode(vault)) ?? (await pickLessLoadedNode(vault)),
    async another(vault) {
      const owner = await findOwnerNode(vault);
      if (owner !== null && owner.owner !== node) return owner;
      const other = firstSigned(
        await selectNodes(
          `from nodes join vaults on vaults.id = $2 and ${sameTenantGroupSql}
           where nodes.id <> $1 and not is_draining and ${nodeIsAliveSql} order by random()`,
          [node, vault],
        ),
      );
      if (other === null) throw new HostingError('unavailable', 'no other node is available');
      return other;
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

function toAddress({ id, address }: NodeRow): NodeAddress {
  return { owner: id, address };
}

/** The public URL of the service, from a node that is alive if there is one; null when no node has one. */
export async function readPublicUrl({ pool, rootKey }: NodeChoiceParts): Promise<string | null> {
  const { rows } = await pool.query<NodeRow>(
    `select ${signedNodeColumns} from nodes where public_url is not null order by ${nodeIsAliveSql} desc, seen_at desc`,
  );
  return rows.find((row) => isSignedNode(rootKey, row))?.publicUrl ?? null;
}
