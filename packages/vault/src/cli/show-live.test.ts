import { expect, it, onTestFinished, vi } from 'vitest';
import type { Keepsake } from '../app/index.ts';
import { createCli } from '../../../../test/run-command.ts';
import { withQueueOutput } from './show-live.ts';

it('withQueueOutput ignores a failed poll of the queue and polls again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const next = vi
    .fn<() => null>(() => null)
    .mockImplementationOnce(() => {
      throw new Error('the database is locked');
    });
  const keepsake = { events: { subscribe: () => () => undefined }, agents: { updates: { next } } };
  const shown = withQueueOutput(createCli(), keepsake as unknown as Keepsake, async () => {
    await vi.advanceTimersByTimeAsync(3_000);
    return 'done';
  });
  expect(await shown).toBe('done');
  expect(next.mock.calls.length).toBeGreaterThan(1);
});
