import { createWriterLock } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { State } from './state.ts';

/** Runs `work` while no other process holds the lock. `check` throws when another process has taken it over. */
export type HoldSyncLock = <Value>(work: (check: () => void) => Promise<Value>) => Promise<Value>;

export function createSyncLock(
  state: Pick<State, 'derive'>,
  clock: Clock,
  name: 'sync' | 'forget' = 'sync',
): HoldSyncLock {
  const lock = state.derive(({ locks, leases, onLostLock, assertNotReplaced }) =>
    createWriterLock({ database: locks, name, clock, leases, onLost: onLostLock, assertNotReplaced }),
  );
  return (work) => lock.get().withLease((grant) => work(() => grant.assertHeld()));
}
