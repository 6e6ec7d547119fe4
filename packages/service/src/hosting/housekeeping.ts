import type { Pool } from 'pg';
import { openTokens } from '../../../vault/src/server/index.ts';
import { copiesIn, removeCopy } from './hosted-vault.ts';
import { trimVault, vaultsToTrim } from './kept-snapshots.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ObjectStore } from './object-store.ts';
import type { Placement } from './placement.ts';
import type { ServedVaults } from './served-vaults.ts';
import { readServiceLimits } from './service-limits.ts';
import { readServiceTokens } from './service-tokens.ts';
import { removeUnnamed } from './snapshots.ts';
import { existingVaults, readVault } from './vault-registry.ts';

type Following = {
  pool: Pool;
  placement: Pick<Placement, 'wantedElsewhere'>;
  leases: LeaseKeeper;
  vaults: ServedVaults;
  onError: (error: unknown) => void;
};

/** Brings the vaults of this node up to what the service says: who has them, their limits, tokens and snapshots. */
export async function followService({ pool, placement, leases, vaults, onError }: Following): Promise<void> {
  await leases.reportLost();
  for (const vault of await placement.wantedElsewhere()) vaults.awake.handOver(vault);
  const served = await vaults.awake.all();
  const names = served.map(({ claimed }) => claimed.vault);
  const limits = await readServiceLimits(pool, names);
  const tokens = await readServiceTokens(pool, names);
  for (const { claimed, hosted, setLimits } of served) {
    setLimits(limits.get(claimed.vault) ?? {});
    openTokens(hosted.keepsake)().replaceGiven(tokens.get(claimed.vault) ?? []);
    if (hosted.isSnapshotDue()) await hosted.snapshot().catch(onError);
  }
  await vaults.awake.sleep();
}

type Removing = {
  pool: Pool;
  store: ObjectStore;
  rootKey: Buffer;
  folder: string;
  keepFor: number;
  leases: LeaseKeeper;
};

/** Removes local copies of deleted vaults, and expired snapshots of vaults that no node has. */
export async function removeExpired(parts: Removing): Promise<void> {
  const { pool, store, rootKey, folder, keepFor, leases } = parts;
  const copies = copiesIn(folder);
  const existing = await existingVaults(pool, copies);
  for (const copy of copies) if (!existing.has(copy) && !leases.has(copy)) removeCopy(folder, copy);
  for (const held of await vaultsToTrim(pool, keepFor)) {
    const kept = await trimVault(pool, held, keepFor);
    const { key } = await readVault(pool, rootKey, held.vault);
    if (kept !== null) await removeUnnamed({ store, key, ...held }, kept);
  }
}

/** The next time begins after the last one ended. Gives a function that stops it. */
export function repeat(everyMs: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const again = async (): Promise<void> => {
    await work();
    if (!isOver) timer = setTimeout(() => void again(), everyMs);
  };
  timer = setTimeout(() => void again(), everyMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
