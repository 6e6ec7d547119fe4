import type { Claimed, Placement } from './placement.ts';

/** Sooner than other nodes take its vaults: a node that is cut off stops answering before another starts. */
const cutOffAfterMs = 2_000;

/** The vaults that this node has claimed and not given up, open or being opened, and the heartbeat that keeps them. */
export type LeaseKeeper = {
  add(claimed: Claimed): void;
  /** Only this very claim: the vault may have been claimed again since. */
  remove(claimed: Claimed): void;
  isHeld(claimed: Claimed): boolean;
  has(vault: string): boolean;
  count(): number;
  /** Tells the service that this node lives. */
  beat(opening: number): Promise<void>;
  /** Reports claims that another node has taken. */
  reportLost(): Promise<void>;
  isCutOff(): boolean;
};

type Parts = {
  placement: Pick<Placement, 'beat' | 'stillMine'>;
  onLost: (claimed: Claimed) => void;
  /** The service asks this node to hand its vaults over. */
  onDrain: () => void;
};

export function createLeaseKeeper({ placement, onLost, onDrain }: Parts): LeaseKeeper {
  const claims = new Map<string, Claimed>();
  let beatAt = -Infinity;
  const isHeld = (claimed: Claimed): boolean => claims.get(claimed.vault) === claimed;
  const reportLost = async (): Promise<void> => {
    const held = [...claims.values()];
    const mine = await placement.stillMine(held);
    for (const claimed of held) if (!mine.has(claimed.vault)) onLost(claimed);
  };
  return {
    add: (claimed) => void claims.set(claimed.vault, claimed),
    remove(claimed) {
      if (isHeld(claimed)) claims.delete(claimed.vault);
    },
    isHeld,
    has: (vault) => claims.has(vault),
    count: () => claims.size,
    async beat(opening) {
      const start = performance.now();
      const { isDraining } = await placement.beat({ awake: claims.size, opening });
      // After a long silence it has to know what became of its vaults before it answers again.
      if (start - beatAt > cutOffAfterMs) await reportLost();
      beatAt = start;
      if (isDraining) onDrain();
    },
    reportLost,
    isCutOff: () => performance.now() - beatAt > cutOffAfterMs,
  };
}
