import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createNodeChoice, nodeIsAliveSql } from './choose-node.ts';
import type { NodeAddress } from './choose-node.ts';
import { signNode } from './signed-node.ts';
import type { RootKey } from './root-key.ts';

/** A vault that this node owns, with everything needed to open it. */
export type ClaimedVault = VaultRecord & {
  /** Unique ids of this claim and of the previous one. */
  claimId: string;
  previousClaimId: string | null;
};

/** Everything needed to read a vault, even when another node serves it. */
export type VaultRecord = {
  vault: string;
  epoch: number;
  key: Buffer;
  snapshotSeq: number;
  snapshot: string | null;
};

/** What a node reports with its heartbeat. */
export type NodeLoad = {
  /** The number of vaults that it has open or is opening, and how many of these it is still opening. */
  awake: number;
  opening: number;
  workers: number;
  /** How many workers it has replaced since it started. */
  replacedWorkers: number;
};

export type Placement = {
  /** Registers this node, which can claim vaults from now on. */
  join(): Promise<void>;
  /** Reports that this node is alive, and its load. Returns whether it should drain. */
  heartbeat(load: NodeLoad): Promise<{ isDraining: boolean }>;
  /**
   * Claims the vault for this node, or returns the node that owns it or should own it. A vault without an owner goes to
   * its target node, else to the less loaded of two random nodes, unless another node has already selected this one
   * (`isAssigned`).
   */
  claim(vault: string, isAssigned?: boolean): Promise<ClaimedVault | NodeAddress>;
  /** Finds another node that owns the vault or may claim it. Used when this node claims no more vaults. */
  findOtherNode(vault: string): Promise<{ address: string }>;
  /** Returns those of the given vaults that this node still owns. */
  filterOwned(claimed: readonly Pick<ClaimedVault, 'vault' | 'epoch'>[]): Promise<Set<string>>;
  /** The vaults of this node that should move to another one. */
  listVaultsToMove(): Promise<string[]>;
  /** Any node may claim the vault afterwards. */
  release(claimed: Pick<ClaimedVault, 'vault' | 'epoch'>): Promise<void>;
  /** Marks this node as draining: it claims no more vaults. */
  drain(): Promise<void>;
  /** Removes this node from the service. */
  leave(): Promise<void>;
};

type Parts = {
  pool: Pool;
  /** Used only for heartbeats, so that nothing else delays them. */
  heartbeatPool?: Pool;
  node: string;
  address: string;
  /** The public URL of the service; absent when there is none. */
  publicUrl?: string | undefined;
  /** The node claims only vaults of this group; if undefined, only vaults without a group. */
  group?: string | undefined;
  rootKey: RootKey;
};

export function createPlacement(parts: Parts): Placement {
  const { pool, heartbeatPool = pool, node, address, publicUrl = null, group = '', rootKey } = parts;
  const choice = createNodeChoice({ pool, rootKey }, node);
  return {
    async join() {
      await pool.query(
        `insert into nodes (id, address, public_url, tenant_group, signature) values ($1, $2, $3, $4, $5)
         on conflict (id) do update
         set seen_at = clock_timestamp(), address = excluded.address, public_url = excluded.public_url,
           tenant_group = excluded.tenant_group, signature = excluded.signature, is_draining = false`,
        [node, address, publicUrl, group, signNode(rootKey, { id: node, address, publicUrl, group })],
      );
      // The node may have belonged to another group before.
      await pool.query('update vaults set owner = null where owner = $1 and tenant_group <> $2', [
        node,
        group,
      ]);
    },
    async heartbeat({ awake, opening, workers, replacedWorkers }) {
      const { rows } = await heartbeatPool.query<{ isDraining: boolean }>(
        `update nodes set seen_at = clock_timestamp(), awake = $2, opening = $3, workers = $4, replaced_workers = $5
         where id = $1 returning is_draining as "isDraining"`,
        [node, awake, opening, workers, replacedWorkers],
      );
      return { isDraining: rows[0]?.isDraining === true };
    },
    async claim(vault, isChosen = true) {
      const claimId = randomUUID();
      if (!isChosen) {
        const better = await choice.best(vault);
        if (better !== null && better.owner !== node) return better;
      }
      const { rows } = await pool.query<VaultRow & { before: string | null }>(
        `update vaults set owner = $2, epoch = epoch + 1, wanted = null, claimed_as = $3
         where id = $1 and tenant_group = $4 and (owner is null or owner = $2 or not exists (select 1 from nodes where nodes.id = owner and ${nodeIsAliveSql}))
         returning epoch, data_key, snapshot_seq, snapshot,
           (select claimed_as from vaults as earlier where earlier.id = $1) as before`,
        [vault, node, claimId, group],
      );
      const [row] = rows;
      if (row === undefined) return choice.otherThan(group, vault);
      return { ...decryptVaultRow(row, vault, rootKey), claimId, previousClaimId: row.before };
    },
    findOtherNode: (vault) => choice.another(vault),
    async filterOwned(claimed) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from vaults join unnest($2::text[], $3::bigint[]) as mine (vault, since)
           on mine.vault = vaults.id and mine.since = vaults.epoch where owner = $1`,
        [node, claimed.map(({ vault }) => vault), claimed.map(({ epoch }) => epoch)],
      );
      return new Set(rows.map(({ id }) => id));
    },
    async listVaultsToMove() {
      const { rows } = await pool.query<{ id: string }>(
        'select id from vaults where owner = $1 and wanted <> $1',
        [node],
      );
      return rows.map(({ id }) => id);
    },
    async release({ vault, epoch }) {
      await pool.query('update vaults set owner = null where id = $1 and epoch = $2 and owner = $3', [
        vault,
        epoch,
        node,
      ]);
    },
    async drain() {
      await pool.query('update nodes set is_draining = true where id = $1', [node]);
    },
    async leave() {
      await pool.query(
        'delete from nodes where id = $1 and not exists (select 1 from vaults where owner = $1)',
        [node],
      );
    },
  };
}

export type VaultRow = {
  epoch: string;
  data_key: Buffer;
  snapshot_seq: string;
  snapshot: string | null;
};

export function decryptVaultRow(row: VaultRow, vault: string, rootKey: RootKey): VaultRecord {
  return {
    vault,
    epoch: Number(row.epoch),
    key: rootKey.unseal(dataKeyAad(vault), row.data_key),
    snapshotSeq: Number(row.snapshot_seq),
    snapshot: row.snapshot,
  };
}

/** The additional authenticated data of a vault's data key. */
export function dataKeyAad(vault: string): string {
  return `key of ${vault}`;
}
