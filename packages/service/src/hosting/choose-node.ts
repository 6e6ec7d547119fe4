import type { Pool } from 'pg';
import { HostingError, noSuchVault } from './error.ts';

export type NodeAddress = { owner: string; address: string };

/** A node that gave no sign for so long is gone, in seconds of the database. */
const goneAfter = 3;
/** A vault that is still to be opened counts as much as so many that are open. */
const openingCounts = 20;
/** Of a row of `nodes`. */
export const isAlive = `seen_at > clock_timestamp() - interval '${goneAfter} seconds'`;
/** Of a row of `nodes` and one of `vaults`. */
export const mayHave = 'nodes.tenant_group = vaults.tenant_group';

export type NodeChoice = {
  /** The node that has the vault, that is to have it, or that has less to do; null when no node lives that may have it. */
  best(vault: string): Promise<NodeAddress | null>;
  /** Another node that has the vault or may take it. */
  another(vault: string): Promise<{ address: string }>;
  /** For a vault that a node of this group could not claim: the node that has it, or one of its own group. */
  otherThan(group: string, vault: string): Promise<NodeAddress>;
};

/** Which node a vault belongs to, as seen from `node`. */
export function createNodeChoice(pool: Pool, node: string): NodeChoice {
  const ownerOf = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select owner, address from vaults join nodes on nodes.id = owner where vaults.id = $1 and ${isAlive}`,
      [vault],
    );
    return rows[0] ?? null;
  };
  const wantedBy = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select nodes.id as owner, address from vaults join nodes on nodes.id = wanted
       where vaults.id = $1 and ${mayHave} and not is_draining and ${isAlive}`,
      [vault],
    );
    return rows[0] ?? null;
  };
  /** Of two random nodes that may have it; this one when both are alike. A new node is not sent all that another has left. */
  const lessLoaded = async (vault: string): Promise<NodeAddress | null> => {
    const { rows } = await pool.query<NodeAddress>(
      `select id as owner, address
       from (select nodes.* from nodes join vaults on vaults.id = $2 and ${mayHave}
             where not is_draining and ${isAlive} order by random() limit 2) as two
       order by awake + ${openingCounts} * opening, id <> $1 limit 1`,
      [node, vault],
    );
    return rows[0] ?? null;
  };
  return {
    best: async (vault) => (await ownerOf(vault)) ?? (await wantedBy(vault)) ?? (await lessLoaded(vault)),
    async another(vault) {
      const owner = await ownerOf(vault);
      if (owner !== null && owner.owner !== node) return owner;
      const { rows } = await pool.query<{ address: string }>(
        `select address from nodes join vaults on vaults.id = $2 and ${mayHave}
         where nodes.id <> $1 and not is_draining and ${isAlive} order by random() limit 1`,
        [node, vault],
      );
      if (rows[0] === undefined) throw new HostingError('unavailable', 'there is no other node');
      return rows[0];
    },
    async otherThan(group, vault) {
      const owner = await ownerOf(vault);
      if (owner !== null) return owner;
      const { rows } = await pool.query<{ group: string }>(
        'select tenant_group as "group" from vaults where id = $1',
        [vault],
      );
      if (rows[0] === undefined) throw noSuchVault(vault);
      if (rows[0].group === group)
        throw new HostingError('unavailable', `the vault ${vault} is between two nodes`, {
          mend: 'try again in a moment',
        });
      const other = await lessLoaded(vault);
      if (other !== null) return other;
      throw new HostingError('unavailable', `there is no node of the group ${rows[0].group}`, {
        mend: 'start one: keepsake-service node --group',
      });
    },
  };
}
