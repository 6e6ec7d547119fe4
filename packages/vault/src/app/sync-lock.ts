import { createWriterLock } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { State } from './state.ts';

/** Runs `work` while no other process syncs the vault. `check` throws when another process has taken the lock over. */
export type HoldSyncLock = <Value>(work: (check: () => void) => Promise<Value>) => Promise<Value>;

const heartbeatIntervalMs = 1_000;

export function createSyncLock(state: Pick<State, 'follow'>, clock: Clock): HoldSyncLock {
  const lock = state.follow(({ locks, confirm }) =>
    createWriterLock({ database: locks, name: 'sync', clock, confirm }),
  );
  return (work) =>
    lock.open().hold(async (grant) => {
      const check = (): void => grant.check();
      // The network may take longer than the lease lasts. A holder that was replaced finds out at its next check.
      const heartbeat = setInterval(() => attempt(check), heartbeatIntervalMs).unref();
      try {
        return await work(check);
      } finally {
        clearInterval(heartbeat);
      }
    });
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {
    return;
  }
}
