import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { inTurn } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';

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

/** The database holds nothing that must survive a power loss: after one, nobody owns anything. */
export function createWriterLock(
  database: Database,
  clock: Clock,
  name: 'writer' | 'historian' = 'writer',
): WriterLock {
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
  const take = database.transaction((): number | null => {
    const row = read.get() as Row;
    if (row.owner !== null && row.until > clock() && !isDead(row)) return null;
    grant.run({ owner: name, pid: process.pid, host: hostname(), until: clock() + lease });
    return row.fence + 1;
  });
  /** Within one process requests wait here; only one of them at a time asks the database. */
  const holding = inTurn();

  const acquire = async (): Promise<number> => {
    const giveUp = clock() + patience;
    for (;;) {
      const fence = take.immediate();
      if (fence !== null) return fence;
      if (clock() > giveUp)
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
        let renewed = clock();
        const check = (): void => {
          if ((read.get() as Row).fence !== fence)
            throw new VaultError(
              'lost-lock',
              'another process took over while this one was stopped; nothing more is written',
            );
          if (clock() > renewed + lease / 4) renew.run({ fence, until: (renewed = clock()) + lease });
        };
        try {
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

/** Known only of processes on this machine; of others their lease decides. */
export function isDead({ pid, host }: { pid: number; host: string }): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
