import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLeaseKeeper } from './lease-keeper.ts';
import type { ClaimedVault } from './placement.ts';

const claimOf = (vault: string, epoch: number): ClaimedVault => ({
  vault,
  epoch,
  key: Buffer.alloc(0),
  snapshotSeq: 0,
  snapshot: null,
  claimId: `${vault}-${epoch}`,
  previousClaimId: null,
});

const noLoad = { opening: 0, workers: 0, replacedWorkers: 0 };

function setUp() {
  const service = { isDraining: false, mine: new Set<string>() };
  const lost: string[] = [];
  let drains = 0;
  const leases = createLeaseKeeper({
    placement: {
      heartbeat: async () => ({ isDraining: service.isDraining }),
      filterOwned: async () => service.mine,
    },
    onLost: ({ claimId }) => void lost.push(claimId),
    onDrain: () => void (drains += 1),
  });
  return { service, leases, lost, drains: () => drains };
}

describe('lease keeper', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('counts as cut off before the first heartbeat and two seconds after the last one', async () => {
    const { leases } = setUp();
    expect(leases.isCutOff()).toBe(true);
    await leases.beat(noLoad);
    vi.advanceTimersByTime(2_000);
    expect(leases.isCutOff()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(leases.isCutOff()).toBe(true);
  });

  it('reports lost vaults after missed heartbeats, before the node counts as connected again', async () => {
    const { service, leases, lost } = setUp();
    await leases.beat(noLoad);
    leases.add(claimOf('kept', 1));
    leases.add(claimOf('taken', 1));
    service.mine = new Set(['kept']);
    await leases.beat(noLoad);
    expect(lost).toEqual([]);
    vi.advanceTimersByTime(2_001);
    await leases.beat(noLoad);
    expect(lost).toEqual(['taken-1']);
    expect(leases.isCutOff()).toBe(false);
  });

  it('removes a claim without removing a later claim on the same vault', () => {
    const { leases } = setUp();
    const [earlier, later] = [claimOf('notes', 1), claimOf('notes', 2)];
    leases.add(earlier);
    leases.add(later);
    leases.remove(earlier);
    expect([leases.isHeld(earlier), leases.isHeld(later), leases.count()]).toEqual([false, true, 1]);
    leases.remove(later);
    expect(leases.has('notes')).toBe(false);
  });

  it('notifies the node when the service asks it to drain', async () => {
    const { service, leases, drains } = setUp();
    await leases.beat(noLoad);
    expect(drains()).toBe(0);
    service.isDraining = true;
    await leases.beat(noLoad);
    expect(drains()).toBe(1);
  });
});
