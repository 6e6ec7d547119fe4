import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

describe('createLimiter', () => {
  it('runs tasks one at a time in call order', async () => {
    const runExclusive = createLimiter();
    const events: string[] = [];
    const work = (name: string, steps: number) => async () => {
      events.push(`${name} begins`);
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      events.push(`${name} ends`);
      return name;
    };
    const all = [runExclusive(work('a', 5)), runExclusive(work('b', 1)), runExclusive(work('c', 0))];
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
    expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('continues after a failed task and rejects only that one', async () => {
    const runExclusive = createLimiter();
    const failing = runExclusive(async () => {
      throw new Error('broken');
    });
    const next = runExclusive(async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
