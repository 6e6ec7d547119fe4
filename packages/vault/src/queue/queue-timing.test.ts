import { expect, it } from 'vitest';
import { dueAt, waitAfter } from './queue-timing.ts';

const timing = { lease: 1_000, backoff: 100, attempts: 3 };

it('waits four times as long before each further attempt', () => {
  expect([0, 1, 2, 3].map((attempts) => waitAfter(attempts, timing))).toEqual([100, 100, 400, 1_600]);
});

it('has a waiting update due at its time, and a running one when its lease ends', () => {
  const row = { attempts: 2, not_before: 10_300, leased_until: 10_900 };
  expect(dueAt({ ...row, state: 'waiting' }, 10_000, timing)).toBe(10_300);
  expect(dueAt({ ...row, state: 'running' }, 10_000, timing)).toBe(10_900);
});

it('has an update due now whose time is further away than any wait: the clock was wrong', () => {
  const row = { attempts: 2, not_before: 10_401, leased_until: 11_001 };
  expect(dueAt({ ...row, state: 'waiting' }, 10_000, timing)).toBe(10_000);
  expect(dueAt({ ...row, state: 'running' }, 10_000, timing)).toBe(10_000);
});
