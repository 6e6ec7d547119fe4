import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { createNodeChoice, isAlive } from './choose-node.ts';
import type { NodeAddress } from './choose-node.ts';
import { unseal } from './sealing.ts';

/** A vault that this node serves, and what it needs to open it. */
export type Claimed = StoredVault & {
  /** Of this claim alone, and of the one before it. */
  claim: string;
  claimBefore: string | null;
};

/** What is needed to read a vault, whoever serves it. */
export type StoredVault = {
  vault: string;
  epoch: number;
  key: Buffer;
  snapshotSeq: number;
  snapshot: string | null;
};

/** How many vaults a node has, and how many of them it has still to open. */
type Load = { awake: number; opening: number };

export type Placement = {
  /** Takes vaults from now on. */
  join(): Promise<void>;
  /** Says that this node lives and how much it has to do; tells whether it is to take no more. */
  beat(load: Load): Promise<{ isDraining: boolean }>;
  /**
   * This node has the vault from now on; else which node has it, or is to take it, and where that is reached. What nobody has goes
   * where it is wanted, else to the one of two random nodes that has less to do, unless this one `isChosen` already.
   */
  claim(vault: string, isChosen?: boolean): Promise<Claimed | NodeAddress>;
  /** Another node that has it or may take it; for one that takes no more itself. */
  another(vault: string): Promise<{ address: string }>;
  /** Of these, the vaults that this node still has. */
  stillMine(claimed: readonly Pick<Claimed, 'vault' | 'epoch'>[]): Promise<Set<string>>;
  /** The vaults of this node that another one is to have. */
  wantedElsewhere(): Promise<string[]>;
  /** Anybody may have it. */
  release(claimed: Pick<Claimed, 'vault' | 'epoch'>): Promise<void>;
  /** Takes no more vaults. */
  drain(): Promise<void>;
  /** Is no node any more. */
  leave(): Promise<void>;
};

type Parts = {
  pool: Pool;
  /** For signs of life alone: nothing else delays them. */
  pulse?: Pool;
  node: string;
  address: string;
  /** Under which people reach the service; left out where none do. */
  publicUrl?: string | undefined;
  /** It has vaults of this group alone; left out, of those that are in none. */
  group?: string | undefined;
  rootKey: Buffer;
};

export function createPlacement(parts: Parts): Placement {
  const { pool, pulse = pool, node, address, publicUrl = null, group = '', rootKey } = parts;
  const choice = createNodeChoice(pool, node);
  return {
    async join() {
      await pool.query(
        `insert into nodes (id, address, public_url, tenant_group) values ($1, $2, $3, $4) on conflict (id) do update
         set seen_at = clock_timestamp(), address = excluded.address, public_url = excluded.public_url,
           tenant_group = excluded.tenant_group, is_draining = false`,
        [node, address, publicUrl, group],
      );
      // It may have been of another group before.
      await pool.query('update vaults set owner = null where owner = $1 and tenant_group <> $2', [
        node,
        group,
      ]);
    },
    async beat({ awake, opening }) {
      const { rows } = await pulse.query<{ isDraining: boolean }>(
        `update nodes set seen_at = clock_timestamp(), awake = $2, opening = $3
         where id = $1 returning is_draining as "isDraining"`,
        [node, awake, opening],
      );
      return { isDraining: rows[0]?.isDraining === true };
    },
    async claim(vault, isChosen = true) {
      const claim = randomUUID();
      if (!isChosen) {
        const better = await choice.best(vault);
        if (better !== null && better.owner !== node) return better;
      }
      const { rows } = await pool.query<StoredVaultRow & { before: string | null }>(
        `update vaults set owner = $2, epoch = epoch + 1, wanted = null, claimed_as = $3
         where id = $1 and tenant_group = $4 and (owner is null or owner = $2 or not exists (select 1 from nodes where nodes.id = owner and ${isAlive}))
         returning epoch, data_key, snapshot_seq, snapshot,
           (select claimed_as from vaults as earlier where earlier.id = $1) as before`,
        [vault, node, claim, group],
      );
      const [row] = rows;
      if (row === undefined) return choice.otherThan(group, vault);
      return { ...openStored(row, vault, rootKey), claim, claimBefore: row.before };
    },
    another: (vault) => choice.another(vault),
    async stillMine(claimed) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from vaults join unnest($2::text[], $3::bigint[]) as mine (vault, since)
           on mine.vault = vaults.id and mine.since = vaults.epoch where owner = $1`,
        [node, claimed.map(({ vault }) => vault), claimed.map(({ epoch }) => epoch)],
      );
      return new Set(rows.map(({ id }) => id));
    },
    async wantedElsewhere() {
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

export type StoredVaultRow = {
  epoch: string;
  data_key: Buffer;
  snapshot_seq: string;
  snapshot: string | null;
};

export function openStored(row: StoredVaultRow, vault: string, rootKey: Buffer): StoredVault {
  return {
    vault,
    epoch: Number(row.epoch),
    key: unseal(rootKey, keySealedAs(vault), row.data_key),
    snapshotSeq: Number(row.snapshot_seq),
    snapshot: row.snapshot,
  };
}

/** What a sealed key of a vault says of itself. */
export function keySealedAs(vault: string): string {
  return `key of ${vault}`;
}
