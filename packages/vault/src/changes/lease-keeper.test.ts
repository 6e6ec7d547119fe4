import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { createLeaseKeeper } from './lease-keeper.ts';
import { createWriterLock } from './writer-lock.ts';

function open(): { file: string; database: Database.Database; until: () => number } {
  const file = join(temporaryFolder(), 'lock.sqlite');
  const database = new Database(file);
  onTestFinished(() => void database.close());
  database.pragma('journal_mode = WAL');
  return {
    file,
    database,
    until: () => database.prepare('select until from writer').pluck().get() as number,
  };
}

/** Blocks the event loop of this thread until the condition is true. */
function block(isOver: () => boolean): void {
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  for (const giveUp = Date.now() + 60_000; !isOver();) {
    if (Date.now() > giveUp) throw new Error('the condition never became true');
    Atomics.wait(waiting, 0, 0, 20);
  }
}

describe('a lease', () => {
  it('is renewed while the event loop is blocked, and released afterwards', async () => {
    const { file, database, until } = open();
    const leases = createLeaseKeeper(file);
    onTestFinished(() => leases.close());
    leases.start();
    const lock = createWriterLock({ database, leases, clock: Date.now });
    await lock.withLease(async (lease) => {
      const first = until();
      block(() => until() > first);
      const second = until();
      block(() => until() > second);
      lease.assertHeld();
    });
    expect(until()).toBe(0);
    expect(await lock.withLease(async ({ fence }) => fence)).toBe(2);
  });

  it('is renewed by a thread that starts when it is held already', async () => {
    const { file, database, until } = open();
    const leases = createLeaseKeeper(file);
    onTestFinished(() => leases.close());
    await createWriterLock({ database, leases, clock: Date.now }).withLease(async () => {
      leases.start();
      const first = until();
      block(() => until() > first);
      expect(until()).toBeGreaterThan(first);
    });
  });

  it('is not renewed once another process has taken it over', async () => {
    const { file, database, until } = open();
    const leases = createLeaseKeeper(file);
    onTestFinished(() => leases.close());
    const lost: string[] = [];
    const lock = createWriterLock({ database, leases, clock: Date.now, onLost: () => lost.push('lost') });
    const work = lock.withLease(async (lease) => {
      leases.start();
      database.exec('update writer set fence = fence + 1, until = 42');
      const other = leases.keep({ table: 'other', fence: 1, leaseMs: 1_000 });
      database.exec('create table other (fence, until); insert into other values (1, 1)');
      block(() => database.prepare('select until from other').pluck().get() !== 1);
      other();
      expect(until()).toBe(42);
      lease.assertHeld();
    });
    await expect(work).rejects.toMatchObject({ code: 'lost-lock' });
    expect(lost).toEqual(['lost']);
  });
});
