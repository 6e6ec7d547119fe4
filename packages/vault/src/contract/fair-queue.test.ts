import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

const never = new AbortController().signal;

/** Starts one task per letter for the caller of that name; the tasks note the order in which they run. */
function runAll(callers: string) {
  const run = createFairQueue();
  const order: string[] = [];
  const tasks = callers.split('').map((caller) =>
    run(
      caller,
      async () => {
        order.push(caller);
        await setImmediate();
      },
      never,
    ),
  );
  return { run, order, all: Promise.all(tasks) };
}

describe('createFairQueue', () => {
  it.each([
    ['aaaab', 'abaaa'],
    ['aaaabbc', 'abcabaa'],
    ['abc', 'abc'],
    ['aaa', 'aaa'],
  ])('runs tasks queued as %s in the order %s', async (queued, expected) => {
    const { order, all } = runAll(queued);
    await all;
    expect(order.join('')).toBe(expected);
  });

  it('lets a caller that comes later wait for one task of the others at most', async () => {
    const { run, order, all } = runAll('aaaaaa');
    await setImmediate();
    const before = order.length;
    await run('late', async () => void order.push('late'), never);
    expect(order.indexOf('late') - before).toBeLessThanOrEqual(1);
    await all;
    expect(order).toHaveLength(7);
  });

  it('drops tasks whose signal is aborted while they wait, and never runs them', async () => {
    const run = createFairQueue();
    const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
    const first = run('a', () => blocked, never);
    const aborting = new AbortController();
    const ran: string[] = [];
    const dropped = ['a', 'b'].map((caller) =>
      run(caller, async () => void ran.push(`dropped ${caller}`), aborting.signal),
    );
    const kept = run('b', async () => void ran.push('kept'), never);
    aborting.abort(new Error('the caller has left'));
    for (const each of dropped) await expect(each).rejects.toThrow('the caller has left');
    release();
    await Promise.all([first, kept]);
    expect(ran).toEqual(['kept']);
    await expect(run('a', async () => 'next', never)).resolves.toBe('next');
    await expect(run('a', async () => 'never', aborting.signal)).rejects.toThrow('the caller has left');
  });

  it('continues after a failed task and runs one task at a time', async () => {
    const run = createFairQueue();
    let running = 0;
    const task = (fails: boolean) => async (): Promise<void> => {
      running += 1;
      expect(running).toBe(1);
      await setImmediate();
      running -= 1;
      if (fails) throw new Error('failed');
    };
    const all = await Promise.allSettled(
      [true, false, true, false].map((fails, index) => run(`${index % 2}`, task(fails), never)),
    );
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
  });
});
