import { expect, it } from 'vitest';
import { otherReason } from '../contract/index.ts';
import { followTurns } from './follow-turns.ts';

const turn = {
  id: '3f2c91aa-0000',
  state: 'waiting',
  attempts: 1,
  reason: otherReason('no answer'),
  mostAttempts: 3,
  at: 5_000,
} as const;

it('counts down to the next attempt, which is new once', () => {
  const follow = followTurns();
  follow.note({ type: 'update-started', update: turn.id, attempt: 1 });
  follow.note({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
  expect([0, 100, 4_900, 5_000].map((now) => follow.look(turn, now))).toEqual([
    { failed: null, waiting: 'attempt 2 of 3 in 5 s; 3f2c91aa is kept meanwhile', isNew: true },
    { failed: null, waiting: 'attempt 2 of 3 in 5 s; 3f2c91aa is kept meanwhile', isNew: false },
    { failed: null, waiting: 'attempt 2 of 3 in 1 s; 3f2c91aa is kept meanwhile', isNew: false },
    { failed: null, waiting: null, isNew: false },
  ]);
});

it('counts down anew after an attempt that came further, and so has the same number', () => {
  const follow = followTurns();
  for (const _ of [1, 2]) {
    follow.note({ type: 'update-started', update: turn.id, attempt: 1 });
    follow.note({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
    expect(follow.look(turn, 0)).toMatchObject({ failed: null, isNew: true });
  }
});

it('tells why an attempt failed that another process made, once', () => {
  const follow = followTurns();
  expect(follow.look(turn, 0)).toMatchObject({ failed: 'no answer', isNew: true });
  expect(follow.look(turn, 0)).toMatchObject({ failed: null, isNew: false });
  expect(follow.look({ ...turn, attempts: 2 }, 0)).toMatchObject({ failed: 'no answer', isNew: true });
});

it('says that another process works on it, but not of what is being begun here', () => {
  const follow = followTurns();
  const running = { ...turn, state: 'running' } as const;
  expect(follow.look(running, 0).waiting).toBeNull();
  follow.note({ type: 'update-started', update: turn.id, attempt: 1 });
  for (let looks = 0; looks < 20; looks += 1) expect(follow.look(running, 0).waiting).toBeNull();
  follow.note({ type: 'update-failed', update: turn.id, reason: otherReason('no answer') });
  const seen = Array.from({ length: 20 }, () => follow.look(running, 0).waiting);
  expect(seen.at(0)).toBeNull();
  expect(seen.at(-1)).toBe('another process works on 3f2c91aa');
});

it('has nothing to say of what waits for its turn, or when nothing waits', () => {
  const follow = followTurns();
  const nothing = { failed: null, waiting: null, isNew: false };
  expect(follow.look(null, 0)).toEqual(nothing);
  expect(follow.look({ ...turn, attempts: 0, reason: null, at: 0 }, 0)).toEqual(nothing);
});
