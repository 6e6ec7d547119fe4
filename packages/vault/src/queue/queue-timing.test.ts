import { expect, it } from 'vitest';
import { dueAt, backoffMsAfter, waitMsAfter } from './queue-timing.ts';

const timing = { leaseMs: 1_000, backoffMs: 100, maxAttempts: 3, maxWaitMs: 400 };

it('the delay before a retry is four times as long after each further attempt', () => {
  expect([0, 1, 2, 3].map((attempts) => backoffMsAfter(attempts, timing))).toEqual([100, 100, 400, 1_600]);
});

it('the delay while something is unavailable doubles up to a limit', () => {
  expect([1, 2, 3, 4, 2_000].map((tries) => waitMsAfter(tries, timing))).toEqual([100, 200, 400, 400, 400]);
});

it('a waiting update is due at its retry time, a running one when its lease expires', () => {
  const row = { attempts: 2, not_before: 10_300, leased_until: 10_900 };
  expect(dueAt({ ...row, state: 'waiting' }, 10_000, timing)).toBe(10_300);
  expect(dueAt({ ...row, state: 'running' }, 10_000, timing)).toBe(10_900);
});

it('an update is due immediately if its due time is later than possible, because the clock was wrong', () => {
  const row = { attempts: 2, not_before: 10_401, leased_until: 11_001 };
  expect(dueAt({ ...row, state: 'waiting' }, 10_000, timing)).toBe(10_000);
  expect(dueAt({ ...row, state: 'running' }, 10_000, timing)).toBe(10_000);
});
