import { EventEmitter } from 'node:events';
import { expect, it, vi } from 'vitest';
import { createIdlePool } from './idle-pool.ts';

class Answer extends EventEmitter {
  destroyed = false;
  headersSent = false;
  sent(): void {
    this.headersSent = true;
    this.destroyed = true;
    this.emit('close');
  }
}

function createTestPool({ idleTimeoutMs = 0 }: { idleTimeoutMs?: number } = {}) {
  const calls: string[] = [];
  const busy = new Set<string>();
  const pool = createIdlePool<{ name: string }, string>({
    async open(name) {
      calls.push(`open ${name}`);
      if (name === 'broken') throw new Error('it cannot be opened');
      return name === 'other' ? { elsewhere: 'there' } : { here: { name } };
    },
    suspend: async ({ name }) => void calls.push(`suspend ${name}`),
    close: async ({ name }) => void calls.push(`close ${name}`),
    isBusy: ({ name }) => busy.has(name),
    idleTimeoutMs,
    onError: (error) => void calls.push(String(error)),
  });
  return { pool, calls, busy };
}

it('an idle pool opens an item once for all requests and suspends it after the last response is sent', async () => {
  const { pool, calls } = createTestPool();
  const [one, two] = [new Answer(), new Answer()];
  const found = await Promise.all([pool.acquire('a', one), pool.acquire('a', two)]);
  expect([found, calls]).toEqual([[{ here: { name: 'a' } }, { here: { name: 'a' } }], ['open a']]);
  await pool.evictIdle();
  one.sent();
  two.headersSent = true;
  await pool.evictIdle();
  expect([calls, pool.names()]).toEqual([['open a'], ['a']]);
  two.sent();
  await pool.evictIdle();
  expect([calls, pool.names()]).toEqual([['open a', 'suspend a'], []]);
});

it('an idle pool keeps an item open while it is busy, and until the idle timeout', async () => {
  const { pool, calls, busy } = createTestPool();
  busy.add('a');
  const answer = new Answer();
  await pool.acquire('a', answer);
  answer.sent();
  await pool.evictIdle();
  expect(calls).toEqual(['open a']);
  busy.clear();
  await pool.evictIdle();
  expect(calls).toEqual(['open a', 'suspend a']);

  const longLived = createTestPool({ idleTimeoutMs: 1_000_000 });
  const another = new Answer();
  await longLived.pool.acquire('a', another);
  another.sent();
  await longLived.pool.evictIdle();
  expect(longLived.calls).toEqual(['open a']);
});

it('an idle pool reopens an item only after it is closed', async () => {
  const { pool, calls } = createTestPool();
  const closing = Promise.withResolvers<void>();
  await pool.acquire('a', new Answer());
  pool.evict('a', async () => {
    await closing.promise;
    calls.push('left a');
  });
  const again = pool.acquire('a', new Answer());
  closing.resolve();
  expect(await again).toEqual({ here: { name: 'a' } });
  expect(calls).toEqual(['open a', 'left a', 'open a']);
});

it('an idle pool does not keep items that are open elsewhere or fail to open', async () => {
  const { pool } = createTestPool();
  expect(await pool.acquire('other', new Answer())).toEqual({ elsewhere: 'there' });
  await expect(pool.acquire('broken', new Answer())).rejects.toThrow('it cannot be opened');
  expect(pool.names()).toEqual([]);
});

it('an idle pool that is drained waits for pending responses but not for streams', async () => {
  const { pool, calls } = createTestPool();
  const [asking, listening] = [new Answer(), new Answer()];
  await pool.acquire('a', asking);
  await pool.acquire('a', listening);
  listening.headersSent = true;
  const closed = pool.drainAll();
  await vi.waitUntil(() => pool.names().length === 0, { timeout: 60_000 });
  expect(calls).toEqual(['open a']);
  asking.sent();
  await closed;
  expect(calls).toEqual(['open a', 'close a']);
});
