import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Environment } from '../../../vault/src/app/index.ts';
import { createLimiter } from '../../../vault/src/contract/index.ts';
import { createIdlePool, startVaultHost } from '../../../vault/src/server/index.ts';
import type { IdlePool, VaultHost } from '../../../vault/src/server/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import { createAppliedAccess } from './applied-access.ts';
import type { AppliedAccess } from './applied-access.ts';
import { HostingError } from './error.ts';
import { openHostedVault } from './hosted-vault.ts';
import type { HostedVault, SnapshotThresholds } from './hosted-vault.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { ObjectStore } from './object-store.ts';
import type { ClaimedVault, Placement } from './placement.ts';
import { withDefaultLimits } from './service-limits.ts';
import { readAccess } from './vault-access.ts';

type ServedVault = {
  claimed: ClaimedVault;
  hosted: HostedVault;
  host: VaultHost;
  access: AppliedAccess;
  /** Applies the current access settings, with the invitations that were created since the last poll. */
  importInvitations: () => Promise<void>;
};

export type ServedVaults = {
  /** The vaults that are open on this node. */
  awake: IdlePool<ServedVault, { address: string }>;
  /** How many vaults are being opened or are waiting to be opened. */
  opening(): number;
  /**
   * Discards a vault that another node owns or that must be reopened from the log. Has no effect if this node has
   * claimed the vault again since.
   */
  evict(claimed: ClaimedVault): void;
  /** Opens no more vaults: requests for them are proxied to another node. */
  stopOpening(): void;
  isDraining(): boolean;
  /** Prefers this node for a vault when another node has forwarded a request for it. */
  prefer(vault: string): void;
  /** Removes the preference. */
  unprefer(vault: string): void;
};

type OpenVaultOptions = {
  pool: Pool;
  store: ObjectStore;
  environment: Environment;
  log: (entry: object) => void;
  /** Holds local copies of vaults. */
  cacheFolder: string;
  publicUrl?: string | undefined;
  group?: string | undefined;
  webAssetsFolder?: string | undefined;
  isSandboxRequired?: boolean | undefined;
  snapshotAfter?: SnapshotThresholds;
  keepFor: number;
  /** The internal host and port for requests to the vaults of this node. */
  mount: { host: string; port: number; cookieName: string };
};

type Parts = {
  options: OpenVaultOptions;
  placement: Pick<Placement, 'findOtherNode' | 'claim' | 'release'>;
  leases: LeaseKeeper;
  idleTimeoutMs: number;
  onOpened: (seconds: number) => void;
  onError: (error: unknown) => void;
};

/**
 * More than one, because opening a vault involves waiting for the object store; limited, so that some vaults are ready
 * early instead of all of them late.
 */
const maxOpening = 8;

export function createServedVaults(parts: Parts): ServedVaults {
  const { options, placement, leases, idleTimeoutMs, onOpened, onError } = parts;
  const preferred = new Set<string>();
  let isDraining = false;
  let opening = 0;
  // A vault outlives the request that opened it, so it must not inherit the context of that request.
  const detached = AsyncLocalStorage.snapshot();
  const evict = (claimed: ClaimedVault): void => {
    if (leases.isHeld(claimed)) awake.evict(claimed.vault, close);
  };
  const close = async ({ claimed, host }: ServedVault): Promise<void> => {
    await host.close();
    leases.remove(claimed);
  };
  const closeAndRelease = async (served: ServedVault): Promise<void> => {
    await close(served);
    await placement.release(served.claimed);
  };
  const limitOpens = createLimiter(maxOpening);
  const awake: ServedVaults['awake'] = createIdlePool({
    async open(vault) {
      const owner = isDraining
        ? await placement.findOtherNode(vault)
        : await placement.claim(vault, preferred.delete(vault));
      if (!('epoch' in owner)) return { elsewhere: owner };
      leases.add(owner);
      opening += 1;
      try {
        const start = performance.now();
        const here = await withSpan({ name: 'open', vault }, () =>
          limitOpens(() => openVault(owner, { ...options, detached, onLost: () => evict(owner), onError })),
        );
        onOpened((performance.now() - start) / 1_000);
        return { here };
      } catch (error) {
        leases.remove(owner);
        throw error;
      } finally {
        opening -= 1;
      }
    },
    async suspend(served) {
      // Without a snapshot the vault is opened from the log; left open, it could not be opened again.
      await served.hosted.snapshot().catch(onError);
      await closeAndRelease(served);
    },
    close: closeAndRelease,
    isBusy: ({ host }) => host.isBusy(),
    idleTimeoutMs,
    onError,
  });
  return {
    awake,
    opening: () => opening,
    evict,
    stopOpening: () => void (isDraining = true),
    isDraining: () => isDraining,
    prefer: (vault) => void preferred.add(vault),
    unprefer: (vault) => void preferred.delete(vault),
  };
}

type Opening = OpenVaultOptions & {
  detached: <Value>(work: () => Value) => Value;
  onLost: () => void;
  onError: (error: unknown) => void;
};

async function openVault(claimed: ClaimedVault, options: Opening): Promise<ServedVault> {
  const { pool, log, onLost, publicUrl, webAssetsFolder } = options;
  const environment = { ...options.environment, servesOthers: true };
  const { vault } = claimed;
  const granted = await readAccess(pool, claimed);
  if (granted.group !== (options.group ?? ''))
    throw new HostingError('damaged', `vault ${vault} belongs to another group than its row says`);
  let access: AppliedAccess | null = null;
  const hosted = await openHostedVault({
    pool,
    store: options.store,
    claimed,
    folder: join(options.cacheFolder, vault),
    environment,
    limits: () => access?.limits() ?? withDefaultLimits(granted.limits),
    sandbox: {
      isRequired: options.isSandboxRequired === true,
      onUnavailable: (reason) =>
        log({ level: 'warn', vault, message: `document sandbox unavailable: ${reason}` }),
    },
    onLost,
    retentionDays: options.keepFor,
    ...(options.snapshotAfter && { snapshotAfter: options.snapshotAfter }),
  });
  const { keepsake } = hosted;
  try {
    const applied = (access = createAppliedAccess(vault, hosted));
    await applied.apply(granted);
    const host = await options.detached(() =>
      startVaultHost({
        keepsake,
        environment,
        mount: { name: vault, ...options.mount },
        publicUrl,
        web: webAssetsFolder,
        isManaged: true,
        flushReplication: hosted.flushReplication,
        log: (entry) => log({ vault, ...entry }),
        onLeaseLost: onLost,
      }),
    );
    if (host === null)
      throw new HostingError('unavailable', `${vault} is already served by another process on this machine`);
    const importInvitations = async (): Promise<void> => applied.apply(await readAccess(pool, claimed));
    return { claimed, hosted, host, access: applied, importInvitations };
  } catch (error) {
    // Close the vault, because the next attempt opens it in the same folder.
    await hosted.close().catch(options.onError);
    throw error;
  }
}
