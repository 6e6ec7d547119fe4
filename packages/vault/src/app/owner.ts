import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { createSilence, isDead, isHere, markOf } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import { readLocks } from './locks.ts';

/** The process that serves a vault, and how others on this machine reach it. */
export type Owner = { url: string; secret: string; pid: number };

export type Ownership = {
  /** Gives the place up, so that the next can take it at once. */
  release(): void;
};

/** A process that gave no sign for this long is gone. */
const lease = 4_000;
const beat = 1_000;
const lookEvery = 100;

type Row = { fence: number; url: string | null; secret: string; pid: number; host: string; until: number };

type Claiming = {
  /** What others have to show there. */
  secret: string;
  clock: Clock;
  /** Called once if the place has passed to another, as it does when a laptop was asleep. */
  onLost: () => void;
  /** Told of a sign that could not be given: a full or failing disk. The place is ours until another takes it. Must not throw. */
  onError: (error: unknown) => void;
};

/**
 * Takes the one place of the process that serves this vault; null when somebody has it. Of one in another container, or whose
 * clock is not ours, only its signs tell that it is there: they are waited for.
 */
export async function claimOwnership(
  locks: Database,
  url: string,
  { secret, clock, onLost, onError }: Claiming,
): Promise<Ownership | null> {
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
  const isSilent = createSilence(lease, () => performance.now());
  const take = locks.transaction((): { fence: number } | { isTaken: Row } => {
    const row = read.get() as Row;
    if (row.url !== null && !isDead(row) && !isSilent(row)) return { isTaken: row };
    grant.run({ url, secret, pid: process.pid, host: markOf(process.pid), until: clock() + lease });
    return { fence: row.fence + 1 };
  });
  const first = read.get() as Row;
  let taken = take.immediate();
  while ('isTaken' in taken) {
    const row = taken.isTaken;
    const hasMoved = row.fence !== first.fence || row.until !== first.until;
    if (hasMoved || (isHere(row) && isCurrent(row, clock()))) return null;
    await sleep(lookEvery);
    taken = take.immediate();
  }
  const { fence } = taken;
  const timer = setInterval(() => {
    try {
      if (renew.run({ fence, until: clock() + lease }).changes === 1) return;
    } catch (error) {
      return onError(error);
    }
    clearInterval(timer);
    onLost();
  }, beat);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      try {
        release.run({ fence });
      } catch (error) {
        // The next one waits for a sign of us, in vain.
        onError(error);
      }
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
    if (row === undefined || row.url === null || !isCurrent(row, clock()) || isDead(row)) return null;
    return { url: row.url, secret: row.secret, pid: row.pid };
  });
}

/**
 * Whether it falls to this process to serve a vault that nobody serves. Of many that were served by one that died, one starts to
 * serve and the rest wait for it: all at once would be slower for each. It has the time of a start; then the next may try.
 */
export function isNextOwner(stateFolder: string, clock: Clock): boolean {
  const isNext = readLocks(stateFolder, (locks) => {
    locks.exec(`
      create table if not exists next_owner (one integer primary key check (one = 1), pid integer, host text, until integer);
      insert or ignore into next_owner values (1, 0, '', 0);
    `);
    const { pid } = process;
    const mine = { pid, host: markOf(pid), until: clock() + lease };
    return locks
      .transaction(() => {
        const row = locks.prepare('select pid, host, until from next_owner').get() as Pick<
          Row,
          'pid' | 'host' | 'until'
        >;
        if (isCurrent(row, clock()) && !isDead(row) && row.host !== mine.host) return false;
        locks.prepare('update next_owner set pid = @pid, host = @host, until = @until').run(mine);
        return true;
      })
      .immediate();
  });
  return isNext ?? true;
}

/** A sign that is not due for longer than any is was given while the clock was wrong. */
function isCurrent({ until }: Pick<Row, 'until'>, now: number): boolean {
  return until > now && until <= now + 2 * lease;
}
