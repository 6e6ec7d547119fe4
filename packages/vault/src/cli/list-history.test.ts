import { describe, expect, it } from 'vitest';
import type { ListedChange } from '../tools/index.ts';
import { fitChange } from './list-history.ts';
import { wrapLine } from './wrap-line.ts';

const change = (summary: string, paths: string[]): ListedChange => ({
  id: '3f2c91aa-0000-4000-8000-000000000000',
  at: 0,
  origin: 'keepsake edit',
  summary,
  state: 'applied',
  isUndone: false,
  paths,
});
const rowsOf = (listed: ListedChange, width: number): string[] =>
  wrapLine(fitChange(listed, width), width).map((row) => row.map(({ text }) => text).join(''));
const paths = ['vault/a/one.md', 'vault/a/two.md', 'vault/a/three.md', 'vault/a/four.md'];

describe('a change in a list', () => {
  it('takes one row if it fits without paths, with as many paths as fit', () => {
    const [row, ...others] = rowsOf(change('edited 4 files', paths), 100);
    expect([row, others]).toEqual([
      expect.stringMatching(/edited 4 files \(keepsake edit, 4 files: vault\/a\/one\.md \+3 more\)$/),
      [],
    ]);
    expect(rowsOf(change('edited 4 files', paths), 80)).toEqual([
      expect.stringMatching(/edited 4 files \(keepsake edit, 4 files\)$/),
    ]);
  });

  it('takes two rows otherwise, and is cut between words only if it is longer', () => {
    const two = rowsOf(change('a summary that a model wrote about what it has changed', paths), 80);
    expect(two).toHaveLength(2);
    expect(two.join(' ')).toContain('vault/a/one.md');
    const long = rowsOf(change('some words '.repeat(40), paths), 80);
    expect(long).toHaveLength(2);
    expect(long.join(' ')).toMatch(/(?:some|words) … \(keepsake edit, 4 files\)$/);
    expect(long.filter((row) => row.length > 80)).toEqual([]);
  });

  it('is complete without a width', () => {
    expect(rowsOf(change('some words '.repeat(40).trim(), paths), Infinity)).toEqual([
      expect.stringMatching(/vault\/a\/one\.md, vault\/a\/two\.md, vault\/a\/three\.md \+1 more\)$/),
    ]);
  });
});
