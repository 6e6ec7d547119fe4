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

describe('unifiedDiff', () => {
  it('shows changes with context lines', () => {
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

  it('reports the number of omitted lines', () => {
    const shown = show(lines(20_000, 'old'), lines(20_000, 'new'));
    expect(shown.join('\n').length).toBeLessThan(110_000);
    const left = /^\\ (\d+) more lines omitted: the diff is too long$/.exec(shown.at(-1) ?? '');
    // Two header lines, one hunk header, and one line about the omitted lines.
    expect(shown.length - 4 + Number(left?.[1])).toBe(40_000);
  });

  it('truncates long lines and reports their length', () => {
    const shown = show('x'.repeat(1_000_000), `${'x'.repeat(1_000_000)}y`);
    expect(shown.join('\n').length).toBeLessThan(10_000);
    expect(shown.filter((line) => line.startsWith('\\'))).toEqual([
      '\\ the line above is truncated: it has 1000000 characters',
      '\\ the line above is truncated: it has 1000001 characters',
    ]);
  });
});
