import type { Pool } from 'pg';
import { listLocalCopies, removeLocalCopy } from './hosted-vault.ts';
import { pruneVaultHistory, findVaultsToPrune } from './snapshot-retention.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ObjectStore } from './object-store.ts';
import type { Placement } from './placement.ts';
import type { ServedVaults } from './served-vaults.ts';
import type { RootKey } from './root-key.ts';
import { deleteUnreferencedObjects } from './snapshots.ts';
import { openAccess, readSealedAccess } from './vault-access.ts';
import { filterExistingVaults, readVaultRecord } from './vault-registry.ts';

type Following = {
  pool: Pool;
  placement: Pick<Placement, 'listVaultsToMove'>;
  leases: LeaseKeeper;
  vaults: ServedVaults;
  onError: (error: unknown) => void;
};

/** Applies the state of the service to the vaults of this node: ownership, access settings and snapshots. */
export async function followService({ pool, placement, leases, vaults, onError }: Following): Promise<void> {
  await leases.reportLost();
  for (const vault of await placement.listVaultsToMove()) vaults.awake.drain(vault);
  const served = await vaults.awake.all();
  const sealed = await readSealedAccess(
    pool,
    served.map(({ claimed }) => claimed.vault),
  );
  for (const { claimed, hosted, access } of served) {
    const { vault, key } = claimed;
    // What a forged or earlier document grants is not applied; the grants before it stay.
    const follow = async (): Promise<void> => {
      const found = sealed.get(vault);
      if (found !== undefined) await access.apply(openAccess(key, vault, found));
    };
    await follow().catch(onError);
    if (hosted.isSnapshotDue()) await hosted.snapshot().catch(onError);
  }
  await vaults.awake.evictIdle();
}

type Removing = {
  pool: Pool;
  store: ObjectStore;
  rootKey: RootKey;
  cacheFolder: string;
  keepFor: number;
  leases: LeaseKeeper;
};

/** Removes local copies of deleted vaults, and expired snapshots of vaults that no node owns. */
export async function removeExpired(parts: Removing): Promise<void> {
  const { pool, store, rootKey, cacheFolder, keepFor, leases } = parts;
  const copies = listLocalCopies(cacheFolder);
  const existing = await filterExistingVaults(pool, copies);
  for (const copy of copies) if (!existing.has(copy) && !leases.has(copy)) removeLocalCopy(cacheFolder, copy);
  for (const owned of await findVaultsToPrune(pool, keepFor)) {
    const retained = await pruneVaultHistory(pool, owned, keepFor);
    const { key } = await readVaultRecord(pool, rootKey, owned.vault);
    if (retained !== null) await deleteUnreferencedObjects({ store, key, ...owned }, retained);
  }
}

/** Runs `work` repeatedly, with a pause of `everyMs` before each run. Returns a function that stops it. */
export function startPolling(everyMs: number, work: () => Promise<void>): () => void {
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
