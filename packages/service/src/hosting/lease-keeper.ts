import type { ClaimedVault, NodeLoad, Placement } from './placement.ts';

/** Shorter than the time after which other nodes claim the vaults: a disconnected node stops answering before another one starts. */
const cutOffAfterMs = 2_000;

/** Tracks the vaults that this node has claimed and opened, or is opening, and sends the heartbeat that keeps them. */
export type LeaseKeeper = {
  add(claimed: ClaimedVault): void;
  /** Removes only this claim: the vault may have been claimed again since. */
  remove(claimed: ClaimedVault): void;
  isHeld(claimed: ClaimedVault): boolean;
  has(vault: string): boolean;
  count(): number;
  /** Reports to the service that this node is alive. */
  beat(load: Omit<NodeLoad, 'awake'>): Promise<void>;
  /** Calls `onLost` for each claim that this node no longer holds. */
  reportLost(): Promise<void>;
  isCutOff(): boolean;
};

type Parts = {
  placement: Pick<Placement, 'heartbeat' | 'filterOwned'>;
  onLost: (claimed: ClaimedVault) => void;
  /** Called when the service asks this node to drain. */
  onDrain: () => void;
};

export function createLeaseKeeper({ placement, onLost, onDrain }: Parts): LeaseKeeper {
  const claims = new Map<string, ClaimedVault>();
  let lastHeartbeatAt = -Infinity;
  const isHeld = (claimed: ClaimedVault): boolean => claims.get(claimed.vault) === claimed;
  const reportLost = async (): Promise<void> => {
    const claimedVaults = [...claims.values()];
    const owned = await placement.filterOwned(claimedVaults);
    for (const claimed of claimedVaults) if (!owned.has(claimed.vault)) onLost(claimed);
  };
  return {
    add: (claimed) => void claims.set(claimed.vault, claimed),
    remove(claimed) {
      if (isHeld(claimed)) claims.delete(claimed.vault);
    },
    isHeld,
    has: (vault) => claims.has(vault),
    count: () => claims.size,
    async beat(load) {
      const start = performance.now();
      const { isDraining } = await placement.heartbeat({ ...load, awake: claims.size });
      // After missed heartbeats, the node has to learn which vaults it has lost before it answers again.
      if (start - lastHeartbeatAt > cutOffAfterMs) await reportLost();
      lastHeartbeatAt = start;
      if (isDraining) onDrain();
    },
    reportLost,
    isCutOff: () => performance.now() - lastHeartbeatAt > cutOffAfterMs,
  };
}
