import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoop } from './loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop whose passes end when the test resolves them. */
function setUp() {
  const start = Date.now();
  const due = { at: 1_000 };
  const ends: (() => void)[] = [];
  const stops: (() => boolean)[] = [];
  const loop = createLoop({
    nextAt: () => due.at,
    monotonicNow: () => Date.now() - start,
    work(isStopped) {
      stops.push(isStopped);
      return new Promise((resolve) => ends.push(resolve));
    },
  });
  return { loop, due, ends, stops };
}

describe('the upkeep loop', () => {
  it('sleeps until a pass is due and wakes earlier when the due time changes', async () => {
    const { loop, due, ends } = setUp();
    loop.wake();
    await vi.advanceTimersByTimeAsync(400);
    expect(ends).toHaveLength(0);
    due.at = 500;
    loop.wake();
    await vi.advanceTimersByTimeAsync(100);
    expect(ends).toHaveLength(1);
  });

  it('runs one pass at a time, with a minimum interval between passes', async () => {
    const { loop, due, ends } = setUp();
    due.at = -Infinity;
    loop.wake();
    await vi.advanceTimersByTimeAsync(10);
    loop.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await vi.advanceTimersByTimeAsync(9);
    expect(ends).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(ends).toHaveLength(2);
  });

  it('tells the running pass to stop, and stops after it', async () => {
    const { loop, ends, stops } = setUp();
    loop.wake();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(stops[0]?.()).toBe(false);
    let isEnded = false;
    const ended = loop.stop().then(() => (isEnded = true));
    expect(stops[0]?.()).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isEnded).toBe(false);
    ends[0]?.();
    await ended;
    loop.wake();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ends).toHaveLength(1);
  });

  it('can be stopped immediately, even while it sleeps', async () => {
    const { loop, ends } = setUp();
    loop.wake();
    await loop.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(ends).toHaveLength(0);
  });
});
