import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { createComparer } from './comparer.ts';
import { mergeChange } from './merge-change.ts';

const text = (count: number, ...changed: [number, string][]): Buffer => {
  const lines = Array.from({ length: count }, (_, index) => (index % 3 === 0 ? '' : `line ${index % 50}`));
  for (const [at, line] of changed) lines[at] = line;
  return Buffer.from(`${lines.join('\n')}\n`);
};
const change = (before: Buffer, after: Buffer): FileChange => {
  const made = fileChange('vault/x.md' as VaultPath, before, after);
  return made ?? expect.unreachable();
};

/** What comes of it, and whether anything else could be done meanwhile. */
async function lettingOthers<Value>(work: Promise<Value>): Promise<{ value: Value; hasLet: boolean }> {
  let hasLet = false;
  setImmediate(() => (hasLet = true));
  return { value: await work, hasLet };
}

describe('texts are compared', () => {
  const [before, wanted, present] = [
    text(20_000),
    text(20_000, [10, 'wanted']),
    text(20_000, [15_000, 'present']),
  ];

  it('beside everything else when they are long, with the same answer', async () => {
    const { merge, diff } = createComparer(() => false);
    const merged = await lettingOthers(merge(change(before, wanted), present));
    expect(merged.value).toEqual(mergeChange(change(before, wanted), present, { stacks: false }));
    expect(merged.value).toEqual({ ok: true, after: text(20_000, [10, 'wanted'], [15_000, 'present']) });
    expect(merged.hasLet).toBe(true);
    const shown = await lettingOthers(diff(change(before, wanted)));
    expect(shown.value).toContain('\n-line 10\n+wanted\n');
    expect(shown.hasLet).toBe(true);
  });

  it('for whoever writes without waiting for what is only shown', async () => {
    const { merge, diff } = createComparer(() => false);
    const done: string[] = [];
    const shown = Array.from({ length: 4 }, () => diff(change(before, wanted)).then(() => done.push('diff')));
    await merge(change(before, wanted), present).then(() => done.push('merge'));
    await Promise.all(shown);
    expect(done.at(-1)).toBe('diff');
  });

  it('at once when they are short, and when there is nothing to compare', async () => {
    const { merge, diff } = createComparer(() => false);
    expect((await lettingOthers(merge(change(text(9), text(9, [1, 'x'])), text(9, [7, 'y'])))).hasLet).toBe(
      false,
    );
    expect((await lettingOthers(diff(change(text(9), text(9, [1, 'x']))))).hasLet).toBe(false);
    expect((await lettingOthers(merge(change(before, wanted), before))).hasLet).toBe(false);
  });

  it('with conflicts as they are, of parts of larger bytes, too', async () => {
    const whole = Buffer.concat([before, text(20_000, [10, 'other'])]);
    const merged = await createComparer(() => false).merge(
      change(before, wanted),
      whole.subarray(before.length),
    );
    expect(merged).toMatchObject({
      ok: false,
      conflict: {
        reason: 'the same lines were changed meanwhile',
        conflicts: [{ firstLine: 11, present: ['other\n'], wanted: ['wanted\n'] }],
      },
    });
  });
});
