import { expect, it } from 'vitest';
import type { Update } from '../app/index.ts';
import { otherReason } from '../contract/index.ts';
import { followUpdate } from './follow-update.ts';

const waiting: Update = {
  id: '3f2c91aa-0000',
  state: 'waiting',
  acceptedAt: 0,
  attempts: 0,
  reason: null,
  nextAttemptAt: null,
  result: null,
  decision: null,
  spent: null,
  input: { text: 'x', files: [], source: { kind: 'person', name: 'test' } },
};
const running: Update = { ...waiting, state: 'running', attempts: 1 };
const failed: Update = {
  ...waiting,
  attempts: 1,
  reason: otherReason('no answer'),
  nextAttemptAt: Date.now() + 60_000,
};
const step = (about: string) => ({ tool: 'read', about, state: 'done' as const });

it('followUpdate prints each step once', () => {
  const follow = followUpdate();
  expect(follow(waiting, [], 0)).toEqual({
    lines: [],
    waiting: '3f2c91aa is waiting in the queue',
    isNew: true,
  });
  expect(follow(waiting, [], 0)).toMatchObject({ lines: [], isNew: false });
  expect(follow(running, [step('a')], 0)).toEqual({
    lines: ['working on 3f2c91aa', '  read a'],
    waiting: null,
    isNew: false,
  });
  expect(follow(running, [step('a'), step('b')], 0).lines).toEqual(['  read b']);
  expect(follow({ ...running, state: 'done' }, [step('a'), step('b')], 0).lines).toEqual([]);
});

it('followUpdate prints once why an attempt failed, counts down, and starts over with the next attempt', () => {
  const follow = followUpdate();
  const now = (failed.nextAttemptAt ?? 0) - 5_000;
  expect(follow(failed, [step('a')], now)).toEqual({
    lines: ['working on 3f2c91aa', '  read a', 'failed: no answer'],
    waiting: 'next attempt in 5 s',
    isNew: true,
  });
  expect(follow(failed, [step('a')], now + 1_000)).toEqual({
    lines: [],
    waiting: 'next attempt in 4 s',
    isNew: false,
  });
  expect(follow({ ...running, attempts: 2 }, [step('b')], now).lines).toEqual([
    'working on 3f2c91aa, attempt 2',
    '  read b',
  ]);
  // The attempt count restarts after an attempt that made progress.
  expect(follow({ ...running, attempts: 2 }, [], now).lines).toEqual([]);
  expect(follow({ ...running, attempts: 2 }, [step('c')], now).lines).toEqual(['  read c']);
});
