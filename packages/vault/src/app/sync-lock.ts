import { createWriterLock } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { State } from './state.ts';

/** Runs `work` while no other process holds the lock. `check` throws when another process has taken it over. */
export type HoldSyncLock = <Value>(work: (check: () => void) => Promise<Value>) => Promise<Value>;

const heartbeatIntervalMs = 1_000;

export function createSyncLock(
  state: Pick<State, 'derive'>,
  clock: Clock,
  name: 'sync' | 'forget' = 'sync',
): HoldSyncLock {
  const lock = state.derive(({ locks, assertNotReplaced }) =>
    createWriterLock({ database: locks, name, clock, assertNotReplaced }),
  );
  return (work) =>
    lock.get().withLease(async (grant) => {
      const check = (): void => grant.assertHeld();
      // A transfer may take longer than the lease. A holder that has lost the lock finds out at its next check.
      const heartbeat = setInterval(() => ignoreErrors(check), heartbeatIntervalMs).unref();
      try {
        return await work(check);
      } finally {
        clearInterval(heartbeat);
      }
    });
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
