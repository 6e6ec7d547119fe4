import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createStalenessCheck, isProcessDead, isSameHost, processMarker } from '../changes/index.ts';
import type { LeaseKeeper } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { hasDatabase } from './database-files.ts';
import { openLocks, readLocks } from './locks.ts';
import { readInode } from './state-folder.ts';

/** The process that serves a vault, and how other processes on this machine reach it. */
export type OwnerProcess = { url: string; secret: string; pid: number };

export type OwnerLease = {
  /** Releases the lease, so that another process can acquire it immediately. */
  release(): void;
};

/** A process without a heartbeat for this long counts as dead. */
const leaseMs = 4_000;
const heartbeatIntervalMs = 1_000;
const acquirePollIntervalMs = 100;

type Row = { fence: number; url: string | null; secret: string; pid: number; host: string; until: number };

type AcquireOptions = {
  /** The secret that clients must present to this process. */
  secret: string;
  clock: Clock;
  /** Renews the lease also while the event loop is busy. */
  leases?: LeaseKeeper;
  /** Called once if another process has acquired the lease, for example while this laptop was asleep. */
  onLost: () => void;
  /** Called when a heartbeat could not be written, for example on a full disk. The lease stays ours until another process takes it. Must not throw. */
  onError: (error: unknown) => void;
};

/**
 * Acquires the lease of the process that serves this vault; null when another process holds it. A holder in another container, or
 * with a different clock, is detected only by its heartbeats, so the call waits for one.
 */
export async function acquireOwnerLease(
  locks: Database,
  url: string,
  { secret, clock, leases, onLost, onError }: AcquireOptions,
): Promise<OwnerLease | null> {
  locks.exec(`
    create table if not exists owner (one integer primary key check (one = 1), fence integer not null, url text, secret text, pid integer, host text, until integer);
    insert or ignore into owner values (1, 0, null, '', 0, '', 0);
  `);
  const read = locks.prepare('select fence, url, secret, pid, host, until from owner');
  const acquire = locks.prepare(
    'update owner set fence = fence + 1, url = @url, secret = @secret, pid = @pid, host = @host, until = @until',
  );
  const renew = locks.prepare('update owner set until = @until where fence = @fence');
  const release = locks.prepare(`update owner set url = null, secret = '', until = 0 where fence = @fence`);
  const isExpired = createStalenessCheck(leaseMs, () => performance.now());
  const tryAcquire = locks.transaction((): { fence: number } | { isTaken: Row } => {
    const row = read.get() as Row;
    if (row.url !== null && !isProcessDead(row) && !isExpired(row)) return { isTaken: row };
    acquire.run({
      url,
      secret,
      pid: process.pid,
      host: processMarker(process.pid),
      until: clock() + leaseMs,
    });
    return { fence: row.fence + 1 };
  });
  const first = read.get() as Row;
  let attempt = tryAcquire.immediate();
  while ('isTaken' in attempt) {
    const row = attempt.isTaken;
    const wasRenewed = row.fence !== first.fence || row.until !== first.until;
    if (wasRenewed || (isSameHost(row) && isCurrent(row, clock()))) return null;
    await sleep(acquirePollIntervalMs);
    attempt = tryAcquire.immediate();
  }
  const { fence } = attempt;
  const isShared = createSharedCheck(locks.name);
  const drop = leases?.keep({ table: 'owner', fence, leaseMs });
  const stop = (): void => {
    clearInterval(timer);
    drop?.();
  };
  const timer = setInterval(() => {
    try {
      const isRenewed = renew.run({ fence, until: clock() + leaseMs }).changes === 1;
      if (isRenewed && isShared()) return;
    } catch (error) {
      return onError(error);
    }
    stop();
    onLost();
  }, heartbeatIntervalMs);
  timer.unref();
  return {
    release() {
      stop();
      try {
        release.run({ fence });
      } catch (error) {
        // The next process then has to wait until the lease expires.
        onError(error);
      }
    },
  };
}

/**
 * Returns a function that tells whether other processes still see what this one writes. The log of a database exists as long as it is
 * open; if it is deleted nevertheless, each process goes on with a log of its own. A database that was replaced as a whole is noticed
 * by `assertNotReplaced`, and may come back.
 */
function createSharedCheck(file: string): () => boolean {
  const readInodes = (): (string | null)[] => [file, `${file}-wal`].map(readInode);
  const [database, log] = readInodes();
  return () => {
    const [currentDatabase, currentLog] = readInodes();
    return currentDatabase !== database || currentLog === log;
  };
}

/** The process that serves this vault now; null when there is none. */
export function findOwnerProcess(stateFolder: string, clock: Clock): OwnerProcess | null {
  return readLocks(stateFolder, (locks) => {
    const hasTable = locks.prepare(`select 1 from sqlite_master where name = 'owner'`).get() !== undefined;
    const row = hasTable
      ? (locks.prepare('select fence, url, secret, pid, host, until from owner').get() as Row)
      : undefined;
    if (row === undefined || row.url === null || !isCurrent(row, clock()) || isProcessDead(row)) return null;
    return { url: row.url, secret: row.secret, pid: row.pid };
  });
}

/**
 * Whether this process should start to serve a vault that no process serves. When many clients lose their server, one of them takes
 * over and the others wait for it, because starting all at once would be slower for each. If it has not started within the lease
 * time, the next one may try.
 */
export function tryBecomeCandidate(stateFolder: string, clock: Clock): boolean {
  if (!hasDatabase(stateFolder, 'locks')) return true;
  const locks = openLocks(stateFolder);
  try {
    locks.exec(`
      create table if not exists next_owner (one integer primary key check (one = 1), pid integer, host text, until integer);
      insert or ignore into next_owner values (1, 0, '', 0);
    `);
    const { pid } = process;
    const candidate = { pid, host: processMarker(pid), until: clock() + leaseMs };
    return locks
      .transaction(() => {
        const row = locks.prepare('select pid, host, until from next_owner').get() as Pick<
          Row,
          'pid' | 'host' | 'until'
        >;
        if (isCurrent(row, clock()) && !isProcessDead(row) && row.host !== candidate.host) return false;
        locks.prepare('update next_owner set pid = @pid, host = @host, until = @until').run(candidate);
        return true;
      })
      .immediate();
  } finally {
    locks.close();
  }
}

/** An expiry too far in the future was written while the clock was wrong, so it does not count. */
function isCurrent({ until }: Pick<Row, 'until'>, now: number): boolean {
  return until > now && until <= now + 2 * leaseMs;
}
