import { expect, it } from 'vitest';
import { otherReason } from '../contract/index.ts';
import { createQueueTracker } from './track-queue.ts';

const turn = {
  id: '3f2c91aa-0000',
  state: 'waiting',
  attempts: 1,
  reason: otherReason('no answer'),
  maxAttempts: 3,
  claimableAt: 5_000,
} as const;

it('the queue tracker counts down to the next attempt and marks only the first report as new', () => {
  const follow = createQueueTracker();
  follow.onEvent({ type: 'update-started', update: turn.id, attempt: 1 });
  follow.onEvent({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
  expect([0, 100, 4_900, 5_000].map((now) => follow.poll(turn, now))).toEqual([
    { failed: null, waiting: 'attempt 2 of 3 in 5 s; 3f2c91aa stays in the queue', isNew: true },
    { failed: null, waiting: 'attempt 2 of 3 in 5 s; 3f2c91aa stays in the queue', isNew: false },
    { failed: null, waiting: 'attempt 2 of 3 in 1 s; 3f2c91aa stays in the queue', isNew: false },
    { failed: null, waiting: null, isNew: false },
  ]);
});

it('the queue tracker restarts the countdown after another attempt with the same number', () => {
  const follow = createQueueTracker();
  for (const _ of [1, 2]) {
    follow.onEvent({ type: 'update-started', update: turn.id, attempt: 1 });
    follow.onEvent({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
    expect(follow.poll(turn, 0)).toMatchObject({ failed: null, isNew: true });
  }
});

it('the queue tracker reports once why an attempt by another process failed', () => {
  const follow = createQueueTracker();
  expect(follow.poll(turn, 0)).toMatchObject({ failed: 'no answer', isNew: true });
  expect(follow.poll(turn, 0)).toMatchObject({ failed: null, isNew: false });
  expect(follow.poll({ ...turn, attempts: 2 }, 0)).toMatchObject({ failed: 'no answer', isNew: true });
});

it('the queue tracker reports work by another process, but not an attempt that is starting in this one', () => {
  const follow = createQueueTracker();
  const running = { ...turn, state: 'running' } as const;
  expect(follow.poll(running, 0).waiting).toBeNull();
  follow.onEvent({ type: 'update-started', update: turn.id, attempt: 1 });
  for (let looks = 0; looks < 20; looks += 1) expect(follow.poll(running, 0).waiting).toBeNull();
  follow.onEvent({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
  const seen = Array.from({ length: 20 }, () => follow.poll(running, 0).waiting);
  expect(seen.at(0)).toBeNull();
  expect(seen.at(-1)).toBe('another process works on 3f2c91aa');
});

it('the queue tracker reports nothing for an update that has not been attempted, or for an empty queue', () => {
  const follow = createQueueTracker();
  const nothing = { failed: null, waiting: null, isNew: false };
  expect(follow.poll(null, 0)).toEqual(nothing);
  expect(follow.poll({ ...turn, attempts: 0, reason: null, claimableAt: 0 }, 0)).toEqual(nothing);
});
