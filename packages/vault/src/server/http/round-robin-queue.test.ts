import { expect, it } from 'vitest';
import { createRoundRobinQueue } from './round-robin-queue.ts';

it('the queue starts one call per iteration of the event loop, round-robin by key', async () => {
  const wait = createRoundRobinQueue();
  const started: string[] = [];
  const calls = ['a1', 'a2', 'a3', 'b1', 'c1'].map(async (call) => {
    await wait(call.charAt(0));
    started.push(call);
  });
  const startedPerIteration: number[] = [];
  while (started.length < calls.length) {
    const before = started.length;
    await new Promise(setImmediate);
    startedPerIteration.push(started.length - before);
  }
  expect(Math.max(...startedPerIteration)).toBe(1);
  await Promise.all(calls);
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  // It starts again after it was empty.
  await wait('a');
});
