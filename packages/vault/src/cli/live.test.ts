import { expect, it, onTestFinished, vi } from 'vitest';
import type { Keepsake } from '../app/index.ts';
import { createCli } from '../../../../test/run-command.ts';
import { showQueue } from './live.ts';

it('a look at the queue that fails is left out, and the next is made', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const next = vi
    .fn<() => null>(() => null)
    .mockImplementationOnce(() => {
      throw new Error('the database is locked');
    });
  const keepsake = { events: { listen: () => () => undefined }, agents: { updates: { next } } };
  const shown = showQueue(createCli(), keepsake as unknown as Keepsake, async () => {
    await vi.advanceTimersByTimeAsync(3_000);
    return 'done';
  });
  expect(await shown).toBe('done');
  expect(next.mock.calls.length).toBeGreaterThan(1);
});
