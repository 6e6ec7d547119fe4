import type { Pool } from 'pg';
import { listLocalCopies, removeLocalCopy } from './hosted-vault.ts';
import { pruneVaultHistory, findVaultsToPrune } from './snapshot-retention.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ObjectStore } from './object-store.ts';
import type { ClaimedVault, Placement } from './placement.ts';
import type { ServedVaults } from './served-vaults.ts';
import type { RootKey } from './root-key.ts';
import { deleteUnreferencedObjects } from './snapshots.ts';
import { readSealedAccess } from './vault-access.ts';
import { filterExistingVaults, readVaultRecord } from './vault-registry.ts';

type Following = {
  placement: Pick<Placement, 'listVaultsToMove'>;
  leases: LeaseKeeper;
  vaults: ServedVaults;
};

/** Closes the vaults that this node has lost or that should move. Does not wait for any vault. */
export async function followOwnership({ placement, leases, vaults }: Following): Promise<void> {
  await leases.reportLost();
  for (const vault of await placement.listVaultsToMove()) vaults.awake.drain(vault);
}

type AccessParts = { pool: Pool; vaults: ServedVaults; onError: (error: unknown) => void };

/**
 * Returns a function that applies changed access settings to the vaults of this node. It waits for no vault, because one
 * that does not answer must not keep the others from losing a revoked token.
 */
export function createAccessFollower({ pool, vaults, onError }: AccessParts): () => Promise<void> {
  const applied = new WeakMap<ClaimedVault, { sealed: Buffer | null } | 'pending'>();
  return async () => {
    const served = vaults.awake.all();
    const found = await readSealedAccess(
      pool,
      served.map(({ claimed }) => claimed.vault),
    );
    for (const { claimed, vault } of served) {
      const [sealed, last] = [found.get(claimed.vault), applied.get(claimed)];
      if (sealed === undefined || last === 'pending') continue;
      if (last !== undefined && isEqual(last.sealed, sealed)) continue;
      applied.set(claimed, 'pending');
      vault.applyAccess(sealed).then(
        () => applied.set(claimed, { sealed }),
        (error: unknown) => {
          // What a forged or earlier document grants is not applied; the grants before it stay.
          applied.delete(claimed);
          onError(error);
        },
      );
    }
  };
}

function isEqual(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
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
  for (const copy of copies)
    if (!existing.has(copy) && !leases.has(copy)) await removeLocalCopy(cacheFolder, copy);
  for (const owned of await findVaultsToPrune(pool, keepFor)) {
    const retained = await pruneVaultHistory(pool, owned, keepFor);
    const { key } = await readVaultRecord(pool, rootKey, owned.vault);
    if (retained !== null) await deleteUnreferencedObjects({ store, key, ...owned }, retained);
  }
}
