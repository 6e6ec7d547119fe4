import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './diff.ts';

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');
const show = (before: string | null, after: string | null): string[] =>
  unifiedDiff(
    'vault/x.md',
    ...([before, after].map((text) => (text === null ? null : Buffer.from(text))) as [
      Buffer | null,
      Buffer | null,
    ]),
  ).split('\n');

describe('a diff', () => {
  it('shows what became of a file, with what stands around it', () => {
    expect(show('a\nb\nc\nd\ne\n', 'a\nb\nc\nD\ne\n')).toEqual([
      '--- vault/x.md',
      '+++ vault/x.md',
      '@@ -1,5 +1,5 @@',
      ' a',
      ' b',
      ' c',
      '-d',
      '+D',
      ' e',
    ]);
    expect(show(null, 'a\n')).toEqual(['--- /dev/null', '+++ vault/x.md', '@@ -0,0 +1,1 @@', '+a']);
  });

  it('says how much is left out when it is too long', () => {
    const shown = show(lines(20_000, 'old'), lines(20_000, 'new'));
    expect(shown.join('\n').length).toBeLessThan(110_000);
    const left = /^\\ (\d+) more lines of this diff are left out: it is too long$/.exec(shown.at(-1) ?? '');
    // Two lines on top, one that says where, one that says what is left out.
    expect(shown.length - 4 + Number(left?.[1])).toBe(40_000);
  });

  it('cuts long lines, and says how long they are', () => {
    const shown = show('x'.repeat(1_000_000), `${'x'.repeat(1_000_000)}y`);
    expect(shown.join('\n').length).toBeLessThan(10_000);
    expect(shown.filter((line) => line.startsWith('\\'))).toEqual([
      '\\ the line above is cut: it has 1000000 characters',
      '\\ the line above is cut: it has 1000001 characters',
    ]);
  });
});
