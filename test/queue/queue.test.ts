import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSqliteQueue, laterQueueMigrations, queueMigrations, runQueue } from '../../src/queue/index.ts';
import type { QueuedUpdate, UpdateQueue } from '../../src/queue/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { queueContract } from './queue-contract.ts';

const timing = { lease: 1_000, backoff: 100, attempts: 3 };

function open(file: string, clock: () => number): UpdateQueue {
  const database = new Database(file);
  onTestFinished(() => void database.close());
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  if (database.pragma('user_version', { simple: true }) === 0) {
    for (const migration of [...queueMigrations, ...laterQueueMigrations]) database.exec(migration);
    database.pragma('user_version = 1');
  }
  return createSqliteQueue(database, clock, timing);
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

describe('running a queue', () => {
  const setUp = (
    handle: (update: QueuedUpdate, signal: AbortSignal) => Promise<unknown>,
    parts: { isReady?: () => boolean; every?: number } = {},
  ) => {
    const queue = open(join(temporaryFolder(), 'queue.sqlite'), Date.now);
    const errors: unknown[] = [];
    const runner = runQueue({
      queue,
      handle: async ({ update }, signal) => ({ kind: 'done', result: await handle(update, signal) }),
      clock: Date.now,
      onError: (error) => void errors.push(error),
      every: 20,
      ...parts,
    });
    onTestFinished(() => runner.stop());
    const over = async (...ids: string[]): Promise<void> => {
      const isOver = (id: string): boolean => ['done', 'parked'].includes(queue.find(id)?.state ?? '');
      while (!ids.every(isOver)) await new Promise((done) => setTimeout(done, 5));
    };
    return { queue, runner, errors, over };
  };

  it('does them one after the other, in order', async () => {
    const seen: unknown[] = [];
    let atOnce = 0;
    const { queue, runner, over } = setUp(async ({ input }) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((done) => setTimeout(done, 2));
      seen.push(input);
      atOnce -= 1;
      return `did ${String(input)}`;
    });
    const ids: string[] = [];
    for (let number = 0; number < 20; number += 1) ids.push((await queue.accept(number)).id);
    runner.wake();
    await over(...ids);
    expect(seen).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(queue.find(ids[3] ?? '')?.result).toBe('did 3');
  });

  it('tries again, parks what goes on failing with its reason, and goes on', async () => {
    const { queue, errors, over } = setUp(async ({ input }) => {
      if (input === 'bad') throw new Error('the model does not answer');
      return 'fine';
    });
    const [bad, good] = [(await queue.accept('bad')).id, (await queue.accept('good')).id];
    await over(bad, good);
    expect(queue.find(bad)).toMatchObject({
      state: 'parked',
      attempts: 3,
      reason: 'the model does not answer',
    });
    expect(queue.find(good)?.state).toBe('done');
    expect(errors).toHaveLength(3);
  });

  it('begins nothing before it is ready, and asks again only when the next look is due or it is woken', async () => {
    let asked = 0;
    let isReady = false;
    const ready = (): boolean => {
      asked += 1;
      return isReady;
    };
    const { queue, runner, over } = setUp(async () => 'fine', { isReady: ready, every: 3_600_000 });
    const { id } = await queue.accept('anything');
    runner.wake();
    await vi.waitUntil(() => asked === 1);
    // Long enough for many looks, if it did not wait.
    await new Promise((done) => setTimeout(done, 50));
    expect(asked).toBe(1);
    expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    isReady = true;
    runner.wake();
    await over(id);
    expect(queue.find(id)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('gives back what it was working on when it is stopped', async () => {
    let begun: (() => void) | undefined;
    const isBegun = new Promise<void>((done) => (begun = done));
    const { queue, runner, errors } = setUp(async (_, signal) => {
      begun?.();
      await new Promise((_done, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    });
    const { id } = await queue.accept('long');
    runner.wake();
    await isBegun;
    await runner.stop();
    expect(queue.find(id)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(errors).toEqual([]);
  });
});
