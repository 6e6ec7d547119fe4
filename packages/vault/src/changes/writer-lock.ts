import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { inTurn } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import { createSilence, isDead, markOf } from './signs-of-life.ts';

/**
 * The right to change files, for one commit at a time and across processes. Each grant has a higher number, the
 * fence: whoever wakes from sleep and finds a higher one is no longer the owner and must not write.
 */
export type WriterLock = {
  /** Runs the work while nobody else may write; waits its turn, and takes over from an owner that is gone. */
  hold<Value>(work: (grant: Grant) => Promise<Value>): Promise<Value>;
};

export type Grant = {
  fence: number;
  /** Throws when the right has passed to somebody else. To be called right before each change. */
  check(): void;
};

/** An owner that gave no sign for this long is asleep or dead. */
const lease = 5_000;
const patience = 30_000;

type Row = { fence: number; owner: string | null; pid: number; host: string; until: number };

type Parts = {
  /** Holds nothing that must survive a power loss: after one, nobody owns anything. */
  database: Database;
  name?: 'writer' | 'historian' | 'sync';
  clock: Clock;
  /** Never set back, unlike the clock: waiting and renewing go by it. */
  elapsed?: Clock;
  /** Throws when the database is no longer the one that others ask. */
  confirm?: () => void;
};

export function createWriterLock({
  database,
  name = 'writer',
  clock,
  elapsed = () => performance.now(),
  confirm = () => undefined,
}: Parts): WriterLock {
  database.exec(`
    create table if not exists ${name} (one integer primary key check (one = 1), fence integer not null, owner text, pid integer, host text, until integer);
    insert or ignore into ${name} values (1, 0, null, 0, '', 0);
  `);
  const read = database.prepare(`select fence, owner, pid, host, until from ${name}`);
  const grant = database.prepare(
    `update ${name} set fence = fence + 1, owner = @owner, pid = @pid, host = @host, until = @until`,
  );
  const renew = database.prepare(`update ${name} set until = @until where fence = @fence`);
  const release = database.prepare(`update ${name} set owner = null, until = 0 where fence = @fence`);
  const take = database.transaction((isSilent: (row: Row) => boolean): number | null => {
    const row = read.get() as Row;
    if (row.owner !== null && !isDead(row) && !isSilent(row)) return null;
    grant.run({ owner: name, pid: process.pid, host: markOf(process.pid), until: clock() + lease });
    return row.fence + 1;
  });
  /** Within one process requests wait here; only one of them at a time asks the database. */
  const holding = inTurn();

  const acquire = async (): Promise<number> => {
    const isSilent = createSilence(lease, elapsed);
    const giveUp = elapsed() + patience;
    for (;;) {
      const fence = take.immediate(isSilent);
      if (fence !== null) return fence;
      if (elapsed() > giveUp)
        throw new VaultError('busy', 'another process is changing this vault', {
          mend: 'try again in a moment',
        });
      await sleep(5 + Math.random() * 20);
    }
  };

  return {
    hold: (work) =>
      holding(async () => {
        const fence = await acquire();
        let renewed = elapsed();
        const check = (): void => {
          if ((read.get() as Row).fence !== fence)
            throw new VaultError(
              'lost-lock',
              'another process took over while this one was stopped; nothing more is written',
            );
          if (elapsed() <= renewed + lease / 4) return;
          renew.run({ fence, until: clock() + lease });
          renewed = elapsed();
        };
        try {
          confirm();
          return await work({ fence, check });
        } finally {
          releaseQuietly(() => release.run({ fence }));
        }
      }),
  };
}

/** A lock that cannot be given back ends with its lease. */
function releaseQuietly(release: () => unknown): void {
  try {
    release();
  } catch {
    return;
  }
}
