import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { isDead } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { readLocks } from './databases.ts';

/** The process that serves a vault, and how others on this machine reach it. */
export type Owner = { url: string; secret: string; pid: number };

export type Ownership = {
  /** Gives the place up, so that the next can take it at once. */
  release(): void;
};

/** A process that gave no sign for this long is gone. */
const lease = 4_000;
const beat = 1_000;

type Row = { fence: number; url: string | null; secret: string; pid: number; host: string; until: number };

/**
 * Takes the one place of the process that serves this vault; null when somebody has it. `secret` is what others have to
 * show there. `onLost` is called once if the place has passed to another, as it does when a laptop was asleep.
 */
export function claimOwnership(
  locks: Database,
  url: string,
  { secret, clock, onLost }: { secret: string; clock: Clock; onLost: () => void },
): Ownership | null {
  locks.exec(`
    create table if not exists owner (one integer primary key check (one = 1), fence integer not null, url text, secret text, pid integer, host text, until integer);
    insert or ignore into owner values (1, 0, null, '', 0, '', 0);
  `);
  const read = locks.prepare('select fence, url, secret, pid, host, until from owner');
  const grant = locks.prepare(
    'update owner set fence = fence + 1, url = @url, secret = @secret, pid = @pid, host = @host, until = @until',
  );
  const renew = locks.prepare('update owner set until = @until where fence = @fence');
  const release = locks.prepare(`update owner set url = null, secret = '', until = 0 where fence = @fence`);
  const take = locks.transaction((): number | null => {
    const row = read.get() as Row;
    if (isAlive(row, clock())) return null;
    grant.run({ url, secret, pid: process.pid, host: hostname(), until: clock() + lease });
    return row.fence + 1;
  });
  const fence = take.immediate();
  if (fence === null) return null;
  const timer = setInterval(() => {
    if (renew.run({ fence, until: clock() + lease }).changes === 1) return;
    clearInterval(timer);
    onLost();
  }, beat);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      release.run({ fence });
    },
  };
}

/** Who serves this vault now; null when nobody does. */
export function findOwner(stateFolder: string, clock: Clock): Owner | null {
  return readLocks(stateFolder, (locks) => {
    const hasTable = locks.prepare(`select 1 from sqlite_master where name = 'owner'`).get() !== undefined;
    const row = hasTable
      ? (locks.prepare('select fence, url, secret, pid, host, until from owner').get() as Row)
      : undefined;
    if (row === undefined || !isAlive(row, clock()) || row.url === null) return null;
    return { url: row.url, secret: row.secret, pid: row.pid };
  });
}

function isAlive({ url, pid, host, until }: Row, now: number): boolean {
  return url !== null && until > now && !isDead({ pid, host });
}
