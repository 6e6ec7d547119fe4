import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { createComparer } from './comparer.ts';
import { mergeChange } from './merge-change.ts';

const text = (count: number, ...changed: [number, string][]): Buffer => {
  const lines = Array.from({ length: count }, (_, index) => (index % 3 === 0 ? '' : `line ${index % 50}`));
  for (const [at, line] of changed) lines[at] = line;
  return Buffer.from(`${lines.join('\n')}\n`);
};
const change = (before: Buffer, after: Buffer): FileChange => {
  const made = createFileChange('vault/x.md' as VaultPath, before, after);
  return made ?? expect.unreachable();
};

/** The result, and whether the event loop could run other work in the meantime. */
async function watchEventLoop<Value>(work: Promise<Value>): Promise<{ value: Value; hasYielded: boolean }> {
  let hasYielded = false;
  setImmediate(() => (hasYielded = true));
  return { value: await work, hasYielded };
}

describe('the comparer', () => {
  const [before, incoming, current] = [
    text(20_000),
    text(20_000, [10, 'wanted']),
    text(20_000, [15_000, 'present']),
  ];

  it('compares long texts in a worker, with the same result as in the main thread', async () => {
    const { merge, diff } = createComparer(() => false);
    const merged = await watchEventLoop(merge(change(before, incoming), current));
    expect(merged.value).toEqual(
      mergeChange(change(before, incoming), current, { keepsBothInsertions: false }),
    );
    expect(merged.value).toEqual({ ok: true, after: text(20_000, [10, 'wanted'], [15_000, 'present']) });
    expect(merged.hasYielded).toBe(true);
    const shown = await watchEventLoop(diff(change(before, incoming)));
    expect(shown.value).toContain('\n-line 10\n+wanted\n');
    expect(shown.hasYielded).toBe(true);
  });

  it('does not make a merge wait for diffs', async () => {
    const { merge, diff } = createComparer(() => false);
    const done: string[] = [];
    const shown = Array.from({ length: 4 }, () =>
      diff(change(before, incoming)).then(() => done.push('diff')),
    );
    await merge(change(before, incoming), current).then(() => done.push('merge'));
    await Promise.all(shown);
    expect(done.at(-1)).toBe('diff');
  });

  it('compares short or unchanged texts synchronously', async () => {
    const { merge, diff } = createComparer(() => false);
    expect(
      (await watchEventLoop(merge(change(text(9), text(9, [1, 'x'])), text(9, [7, 'y'])))).hasYielded,
    ).toBe(false);
    expect((await watchEventLoop(diff(change(text(9), text(9, [1, 'x']))))).hasYielded).toBe(false);
    expect((await watchEventLoop(merge(change(before, incoming), before))).hasYielded).toBe(false);
  });

  it('reports conflicts, even in a slice of a larger buffer', async () => {
    const whole = Buffer.concat([before, text(20_000, [10, 'other'])]);
    const merged = await createComparer(() => false).merge(
      change(before, incoming),
      whole.subarray(before.length),
    );
    expect(merged).toMatchObject({
      ok: false,
      conflict: {
        reason: 'the same lines were changed in the meantime',
        conflicts: [{ firstLine: 11, current: ['other\n'], incoming: ['wanted\n'] }],
      },
    });
  });
});
