import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createLimiter } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { createStalenessCheck, isProcessDead, processMarker } from './process-liveness.ts';

/**
 * A lock on the files of the vault, shared by all processes and held for one commit at a time. Each lease has a higher
 * fencing token; a process that finds a higher one than its own has lost the lock and must not write.
 */
export type WriterLock = {
  /**
   * Runs the work while holding the lock, which is renewed meanwhile. Waits for other holders, and takes over from one that is dead
   * or has stopped renewing.
   */
  withLease<Value>(work: (grant: Lease) => Promise<Value>): Promise<Value>;
};

export type Lease = {
  fence: number;
  /** Renews the lease. Throws when another process has taken over the lock. Call it right before each change. */
  assertHeld(): void;
};

/** A holder that has not renewed its lease for this long, in milliseconds, is suspended or dead. */
const leaseMs = 5_000;
const acquireTimeoutMs = 30_000;

type Row = { fence: number; owner: string | null; pid: number; host: string; until: number };

type WriterLockOptions = {
  /** Need not survive a power loss: after one, no process holds a lock. */
  database: Database;
  name?: 'writer' | 'historian' | 'sync' | 'forget';
  clock: Clock;
  /** A monotonic clock, for waiting and renewing. */
  monotonicNow?: Clock;
  /** Renews the lease also while the event loop is busy. */
  leases?: LeaseKeeper | undefined;
  /** Called when another process has taken over the lock. Must not throw. */
  onLost?: (() => void) | undefined;
  /** Throws when the database file was replaced, because other processes then use another lock. */
  assertNotReplaced?: () => void;
};

export function createWriterLock({
  database,
  name = 'writer',
  clock,
  monotonicNow = () => performance.now(),
  leases,
  onLost = () => undefined,
  assertNotReplaced = () => undefined,
}: WriterLockOptions): WriterLock {
  database.exec(`
    create table if not exists ${name} (one integer primary key check (one = 1), fence integer not null, owner text, pid integer, host text, until integer);
    insert or ignore into ${name} values (1, 0, null, 0, '', 0);
  `);
  const read = database.prepare(`select fence, owner, pid, host, until from ${name}`);
  const assign = database.prepare(
    `update ${name} set fence = fence + 1, owner = @owner, pid = @pid, host = @host, until = @until`,
  );
  const renew = database.prepare(`update ${name} set until = @until where fence = @fence`);
  const release = database.prepare(`update ${name} set owner = null, until = 0 where fence = @fence`);
  const take = database.transaction((isStale: (row: Row) => boolean): number | null => {
    const row = read.get() as Row;
    if (row.owner !== null && !isProcessDead(row) && !isStale(row)) return null;
    assign.run({ owner: name, pid: process.pid, host: processMarker(process.pid), until: clock() + leaseMs });
    return row.fence + 1;
  });
  /** Within one process, requests queue here, so that only one at a time polls the database. */
  const runExclusive = createLimiter();

  const acquire = async (): Promise<number> => {
    const isStale = createStalenessCheck(leaseMs, monotonicNow);
    const giveUp = monotonicNow() + acquireTimeoutMs;
    for (;;) {
      const fence = take.immediate(isStale);
      if (fence !== null) return fence;
      if (monotonicNow() > giveUp)
        throw new VaultError('busy', 'another process is changing this vault', {
          hint: 'retry in a moment',
        });
      await sleep(5 + Math.random() * 20);
    }
  };

  return {
    withLease: (work) =>
      runExclusive(async () => {
        const fence = await acquire();
        let renewed = monotonicNow();
        const assertHeld = (): void => {
          if ((read.get() as Row).fence !== fence) {
            onLost();
            throw lostLockError();
          }
          if (monotonicNow() <= renewed + leaseMs / 4) return;
          renew.run({ fence, until: clock() + leaseMs });
          renewed = monotonicNow();
        };
        const drop = leases?.keep({ table: name, fence, leaseMs });
        // The work may wait for git or the network for longer than the lease. A lost lock is noticed at the next check.
        const heartbeat = setInterval(() => ignoreErrors(assertHeld), leaseMs / 4).unref();
        try {
          assertNotReplaced();
          return await work({ fence, assertHeld });
        } finally {
          clearInterval(heartbeat);
          drop?.();
          // It expires with its lease if it cannot be released.
          ignoreErrors(() => release.run({ fence }));
        }
      }),
  };
}

function lostLockError(): VaultError {
  return new VaultError(
    'lost-lock',
    'another process took over the lock while this one was suspended; nothing more is written',
    { hint: 'run the command again' },
  );
}

function ignoreErrors(work: () => unknown): void {
  try {
    work();
  } catch {
    return;
  }
}
