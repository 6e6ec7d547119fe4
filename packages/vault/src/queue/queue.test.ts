import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createQueueTables, createSqliteQueue, nextChange, startQueueRunner } from './index.ts';
import type { QueuedUpdate, UpdateQueue } from './index.ts';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { queueContract } from './queue.contract.ts';
import { otherReason } from '../contract/index.ts';

const timing = { leaseMs: 1_000, backoffMs: 100, maxAttempts: 3, maxWaitMs: 400 };

function open(file: string, clock: () => number): UpdateQueue {
  return createSqliteQueue(openDatabase(file), clock, timing);
}

function openDatabase(file: string): Database.Database {
  const database = new Database(file);
  onTestFinished(() => void database.close());
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  if (database.pragma('user_version', { simple: true }) === 0) {
    createQueueTables(database);
    database.pragma('user_version = 1');
  }
  return database;
}

queueContract('SQLite', async () => {
  const file = join(temporaryFolder(), 'queue.sqlite');
  let now = 1_000;
  const clock = (): number => now;
  return {
    queue: open(file, clock),
    reopen: () => open(file, clock),
    advance: (milliseconds) => void (now += milliseconds),
    timing,
  };
});

describe('SQLite file storage', () => {
  const files = [{ name: 'a.pdf', bytes: Buffer.alloc(2_500_000, 7) }];
  const setUp = (confirm = (): void => undefined) => {
    const database = openDatabase(join(temporaryFolder(), 'queue.sqlite'));
    let now = 1_000_000_000;
    const clock = (): number => now;
    const queue = createSqliteQueue(database, clock, timing, confirm);
    const parts = database.prepare('select count(*) from update_parts').pluck();
    return { database, queue, parts: () => parts.get(), advance: (ms: number) => void (now += ms) };
  };

  it('keeps no files of an update that is done or was not accepted', async () => {
    let isGone = false;
    const { queue, parts } = setUp(() => {
      if (isGone) throw new Error('the folder was deleted');
    });
    await queue.accept('text', { files });
    expect(parts()).toBe(3);
    const claim = queue.claim();
    if (claim) queue.complete(claim, null);
    await queue.removeUnusedFiles();
    expect(parts()).toBe(0);
    isGone = true;
    await expect(queue.accept('text', { files })).rejects.toThrow('deleted');
    expect(parts()).toBe(0);
    expect(queue.countByState()).toMatchObject({ waiting: 0, done: 1 });
  });

  it('removes files staged by a killed process, but not files that another process is still staging', async () => {
    const { database, queue, parts, advance } = setUp();
    await queue.accept('text', { files });
    database.exec(
      `insert into update_parts (update_id, file, part, staged_at, bytes) values ('killed', 0, 0, 1000000000, x'00')`,
    );
    await queue.removeUnusedFiles();
    expect(parts()).toBe(4);
    advance(3_600_001);
    await queue.removeUnusedFiles();
    expect(parts()).toBe(3);
  });

  it('rejects an update whose staged files are incomplete', async () => {
    const { database, queue } = setUp();
    const accepting = queue.accept('text', { files });
    database.exec('delete from update_parts');
    await expect(accepting).rejects.toThrow('send it again');
    expect(queue.peek()).toBeNull();
  });

  it('accepts an update again under the id for which a killed process staged files', async () => {
    const { database, queue } = setUp();
    database.exec(
      `insert into update_parts (update_id, file, part, staged_at, bytes) values ('abcd', 0, 0, 0, x'00')`,
    );
    await queue.accept('text', { files, as: { id: 'abcd', at: 1 } });
    const update = queue.find('abcd');
    expect(
      update &&
        Buffer.compare(
          (await queue.readFiles(update))[0]?.bytes ?? Buffer.of(),
          files[0]?.bytes ?? Buffer.of(),
        ),
    ).toBe(0);
    await expect(queue.accept('text', { files, as: { id: 'abcd', at: 1 } })).rejects.toThrow('UNIQUE');
    expect(update && (await queue.readFiles(update))).toHaveLength(1);
  });

  it('does not block the event loop while a large file is stored, read and removed', async () => {
    const { queue, parts } = setUp();
    const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
      let [turns, isOver] = [0, false];
      const count = (): void => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await work();
      isOver = true;
      return turns;
    };
    const long = [{ name: 'a.pdf', bytes: Buffer.alloc(20_000_000) }];
    expect(await turnsDuring(() => queue.accept('text', { files: long }))).toBeGreaterThanOrEqual(20);
    const claim = queue.claim();
    if (claim === null) throw new Error('the queue is empty');
    expect(await turnsDuring(() => queue.readFiles(claim.update))).toBeGreaterThanOrEqual(20);
    queue.complete(claim, null);
    expect(await turnsDuring(() => queue.removeUnusedFiles())).toBeGreaterThanOrEqual(20);
    expect(parts()).toBe(0);
  });
});

describe('a long queue', () => {
  const filled = (count: number) => {
    const database = openDatabase(join(temporaryFolder(), 'queue.sqlite'));
    const ids = Array.from({ length: count }, () => randomUUID());
    const insert = database.prepare(
      `insert into updates (id, accepted_at, state, input) values (?, 1, 'done', ?)`,
    );
    const input = JSON.stringify({ text: 'x'.repeat(40) });
    database.transaction(() => {
      for (const id of ids) insert.run(id, input);
    })();
    return { queue: createSqliteQueue(database, Date.now, timing), ids };
  };

  it('finds and lists updates as fast as a short one', async () => {
    const [long, short] = [filled(100_000), filled(100)];
    const finding = ({ queue, ids }: typeof long) => {
      let next = 0;
      return () => {
        const id = ids[(next = (next + 1) % 100)] ?? '';
        if (queue.find(id)?.id !== id || queue.find(randomUUID()) !== undefined) throw new Error(id);
        queue.find(id.slice(0, 8));
        return queue.getState(id);
      };
    };
    expect(await costRatio(finding(long), finding(short))).toBeLessThan(2);
    const listing =
      ({ queue }: typeof long) =>
      () =>
        queue.list({ state: 'parked', limit: 100 });
    expect(await costRatio(listing(long), listing(short))).toBeLessThan(2);
  }, 60_000);
});

describe('nextChange', () => {
  it('resolves on the next change, the timeout or the signal, and removes its listener', async () => {
    const queue = open(join(temporaryFolder(), 'queue.sqlite'), Date.now);
    let listeners = 0;
    const counting = {
      onChange(listener: () => void) {
        listeners += 1;
        const stop = queue.onChange(listener);
        return () => {
          listeners -= 1;
          stop();
        };
      },
    };
    const hour = 3_600_000;
    const ending = new AbortController();
    const changed = nextChange(counting, hour, ending.signal);
    await queue.accept(1);
    await changed;
    await nextChange(counting, 1, ending.signal);
    const aborted = nextChange(counting, hour, ending.signal);
    ending.abort();
    await aborted;
    await nextChange(counting, hour, ending.signal);
    expect(listeners).toBe(0);
  });
});

describe('queue runner', () => {
  const setUp = (
    handle: (update: QueuedUpdate, signal: AbortSignal) => Promise<unknown>,
    parts: { isReady?: () => boolean; pollIntervalMs?: number } = {},
  ) => {
    const queue = open(join(temporaryFolder(), 'queue.sqlite'), Date.now);
    const errors: unknown[] = [];
    const runner = startQueueRunner({
      queue,
      handler: async ({ update }, signal) => ({ kind: 'done', result: await handle(update, signal) }),
      clock: Date.now,
      onError: (error) => void errors.push(error),
      pollIntervalMs: 20,
      ...parts,
    });
    onTestFinished(() => runner.stop());
    const over = async (...ids: string[]): Promise<void> => {
      const isOver = (id: string): boolean => ['done', 'parked'].includes(queue.find(id)?.state ?? '');
      while (!ids.every(isOver)) await new Promise((done) => setTimeout(done, 5));
    };
    return { queue, runner, errors, over };
  };

  it('processes updates one at a time, in order', async () => {
    const seen: unknown[] = [];
    let atOnce = 0;
    const { queue, over } = setUp(async ({ input }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((done) => setTimeout(done, 2));
      seen.push(input);
      atOnce -= 1;
      return `did ${String(input)}`;
    });
    const ids: string[] = [];
    for (let number = 0; number < 20; number += 1) ids.push((await queue.accept(number)).id);
    await over(...ids);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(queue.find(ids[3] ?? '')?.result).toBe('did 3');
  });

  it('retries an update that keeps failing, then parks it with the reason and continues', async () => {
    const { queue, errors, over } = setUp(async ({ input }) => {
      if (input === 'bad') throw new Error('the model does not answer');
      return 'fine';
    });
    const [bad, good] = [(await queue.accept('bad')).id, (await queue.accept('good')).id];
    await over(bad, good);
    expect(queue.find(bad)).toMatchObject({
      state: 'parked',
      attempts: 3,
      reason: otherReason('the model does not answer'),
    });
    expect(queue.find(good)?.state).toBe('done');
    expect(errors).toHaveLength(3);
  });

  it('waits until it is ready, and polls again only after the interval or when woken', async () => {
    let checks = 0;
    let isReady = false;
    const ready = (): boolean => {
      checks += 1;
      return isReady;
    };
    const { queue, runner, over } = setUp(async () => 'fine', { isReady: ready, pollIntervalMs: 3_600_000 });
    const { id } = await queue.accept('anything');
    await vi.waitUntil(() => checks === 1);
    // Long enough for many polls if it did not wait.
    await new Promise((done) => setTimeout(done, 50));
    expect(checks).toBe(1);
    expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    isReady = true;
    runner.wake();
    await over(id);
    expect(queue.find(id)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('starts accepted and retried updates without waiting for the next poll', async () => {
    const { queue, over } = setUp(async () => 'fine', { pollIntervalMs: 3_600_000 });
    const { id } = await queue.accept('first');
    await over(id);
    const { id: other } = await queue.accept('second');
    expect(await queue.cancel(other)).toBe(true);
    expect(await queue.retry(other)).toBe(true);
    await over(other);
    expect(queue.find(other)?.state).toBe('done');
  });

  it('releases its claim when it is stopped', async () => {
    let started: (() => void) | undefined;
    const isStarted = new Promise<void>((done) => (started = done));
    const { queue, runner, errors } = setUp(async (_, signal) => {
      started?.();
      await new Promise((_done, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    const { id } = await queue.accept('long');
    await isStarted;
    await runner.stop();
    expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(errors).toEqual([]);
  });

  it('counts an attempt that fails while the runner stops, and reports it once it is recorded', async () => {
    const queue = open(join(temporaryFolder(), 'queue.sqlite'), Date.now);
    const reports: unknown[] = [];
    const stopped = Promise.withResolvers<void>();
    const runner = startQueueRunner({
      queue,
      handler: async () => {
        stopped.resolve(runner.stop());
        return { kind: 'failed', reason: otherReason('the answer is not usable'), again: 'immediately' };
      },
      onFailed: (id, reason) => void reports.push({ id, reason, attempts: queue.find(id)?.attempts }),
      clock: Date.now,
      onError: (error) => void reports.push(error),
    });
    const { id } = await queue.accept('anything');
    await stopped.promise;
    expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 1 });
    expect(reports).toEqual([{ id, reason: otherReason('the answer is not usable'), attempts: 1 }]);
  });
});
