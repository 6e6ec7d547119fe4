import { createIdlePool } from '../../../vault/src/server/index.ts';
import type { IdlePool } from '../../../vault/src/server/index.ts';
import { withSpan } from '../../../vault/src/trace/index.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { OpenVault, VaultOpener } from './open-vault.ts';
import type { ClaimedVault, Placement } from './placement.ts';

type ServedVault = { claimed: ClaimedVault; vault: OpenVault };

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
  /** Opens a vault again that was lost with its worker. This node stays its owner, unless it is draining. */
  reopen(claimed: ClaimedVault): void;
  /** Opens no more vaults: requests for them are proxied to another node. */
  stopOpening(): void;
  isDraining(): boolean;
  /** Prefers this node for a vault when another node has forwarded a request for it. */
  prefer(vault: string): void;
  /** Removes the preference. */
  unprefer(vault: string): void;
};

type Parts = {
  opener: Pick<VaultOpener, 'open'>;
  placement: Pick<Placement, 'findOtherNode' | 'claim' | 'release'>;
  leases: LeaseKeeper;
  idleTimeoutMs: number;
  onOpened: (seconds: number) => void;
  onError: (error: unknown) => void;
};

export function createServedVaults(parts: Parts): ServedVaults {
  const { opener, placement, leases, idleTimeoutMs, onOpened, onError } = parts;
  const preferred = new Set<string>();
  let isDraining = false;
  let opening = 0;
  const evict = (claimed: ClaimedVault): void => {
    if (leases.isHeld(claimed)) awake.evict(claimed.vault, close);
  };
  const close = async ({ claimed, vault }: ServedVault): Promise<void> => {
    await vault.close();
    leases.remove(claimed);
  };
  const closeAndRelease = async (served: ServedVault): Promise<void> => {
    await close(served);
    await placement.release(served.claimed);
  };
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
        const opened = await withSpan({ name: 'open', vault }, () => opener.open(owner, () => evict(owner)));
        onOpened((performance.now() - start) / 1_000);
        return { here: { claimed: owner, vault: opened } };
      } catch (error) {
        leases.remove(owner);
        throw error;
      } finally {
        opening -= 1;
      }
    },
    async suspend(served) {
      // Without a snapshot the vault is opened from the log; left open, it could not be opened again.
      await served.vault.snapshot().catch(onError);
      await closeAndRelease(served);
    },
    close: closeAndRelease,
    isBusy: ({ vault }) => vault.isBusy().catch(() => true),
    idleTimeoutMs,
    onError,
  });
  return {
    awake,
    opening: () => opening,
    evict,
    reopen(claimed) {
      if (!leases.isHeld(claimed)) return;
      awake.evict(claimed.vault, isDraining ? closeAndRelease : close);
      if (!isDraining) awake.acquire(claimed.vault, noResponse()).catch(onError);
    },
    stopOpening: () => void (isDraining = true),
    isDraining: () => isDraining,
    prefer: (vault) => void preferred.add(vault),
    unprefer: (vault) => void preferred.delete(vault),
  };
}

/** For opening a vault without a request. */
function noResponse(): Parameters<ServedVaults['awake']['acquire']>[1] {
  return { destroyed: true, headersSent: true, once: () => undefined };
}
