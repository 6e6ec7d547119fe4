import { describe, expect, it } from 'vitest';
import { inTurn } from './in-turn.ts';

describe('works in turn', () => {
  it('begin only when the one before is over, in the order of the calls', async () => {
    const turn = inTurn();
    const told: string[] = [];
    const work = (name: string, steps: number) => async () => {
      told.push(`${name} begins`);
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      told.push(`${name} ends`);
      return name;
    };
    const all = [turn(work('a', 5)), turn(work('b', 1)), turn(work('c', 0))];
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
    expect(told).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('go on after one that failed, which alone is told of it', async () => {
    const turn = inTurn();
    const failing = turn(async () => {
      throw new Error('broken');
    });
    const next = turn(async () => 'done');
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe('done');
  });
});
