import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  nameProblem,
  parentPath,
  parseVaultPath,
  formatFolderPath,
  formatInput,
  formatPath,
} from './path.ts';
import type { VaultPath } from './path.ts';

const path = (text: string): VaultPath => {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
};

describe('parseVaultPath', () => {
  it.each([
    ['vault/tasks.md', 'vault/tasks.md'],
    ['tasks.md', 'vault/tasks.md'],
    ['./projects//x/', 'vault/projects/x'],
    ['vault', 'vault'],
    ['vault/', 'vault'],
    ['vault/vault/x.md', 'vault/vault/x.md'],
    ['re\u0301sume\u0301.md', 'vault/r\u00e9sum\u00e9.md'],
    ['a\\nb.md', 'vault/a\nb.md'],
  ])('parses %j as %j', (input, expected) => {
    expect(path(input)).toBe(expected);
  });

  it.each([
    '',
    '..',
    'a/../b',
    'vault/..',
    '/etc/passwd',
    '.git/config',
    'a/.hidden.md',
    'a\\b',
    'C:\\x',
    'a\0b',
    '\\u{2e}\\u{2e}/x',
    '\\u{0}',
    '\\u{d800}',
    '\ud800',
    'x'.repeat(256),
    'x/'.repeat(3000),
  ])('rejects %j with a reason', (input) => {
    const parsed = parseVaultPath(input);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? '' : parsed.reason).toMatch(/\w{3}/);
  });

  it('returns paths that have a parent; the vault is its own parent', () => {
    expect(parentPath(path('a/b.md'))).toBe('vault/a');
    expect(parentPath(path('a'))).toBe('vault');
    expect(parentPath(path('vault'))).toBe('vault');
  });
});

describe('formatPath', () => {
  it('returns a plain path unchanged', () => {
    expect(formatPath(path('projects/startup-x/état (2).md'))).toBe('vault/projects/startup-x/état (2).md');
    expect(formatFolderPath(path('bucket'))).toBe('vault/bucket/');
  });

  it('escapes characters that would break a line, a terminal or an info string', () => {
    expect(formatPath(path('a\nb.md'))).toBe('vault/a\\nb.md');
    expect(formatPath(path('\u001b[31m.md'))).toBe('vault/\\u{1b}[31m.md');
    expect(formatPath(path('gpj.\u202ed.md'))).toBe('vault/gpj.\\u{202e}d.md');
    expect(formatPath(path('a&amp;b.md'))).toBe('vault/a\\u{26}amp;b.md');
    expect(formatPath(path('a '))).toBe('vault/a\\u{20}');
    expect(formatPath(path('a (lines 1-2)'))).toBe('vault/a \\u{28}lines 1-2)');
  });

  it('round-trips any name', () => {
    const name = fc
      .oneof(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({
          unit: fc.constantFrom(...'a&#;() \n\r\t\u200b\u202e`~lines12-'.split('')),
          minLength: 1,
        }),
      )
      .map((text) => text.replaceAll('/', '_').normalize('NFC'))
      .filter((text) => nameProblem(text) === null);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), (names) => {
        const parsed = path(`vault/${names.map((text) => text).join('/')}`);
        expect(path(formatPath(parsed))).toBe(parsed);
        expect(path(formatFolderPath(parsed))).toBe(parsed);
        expect(formatPath(parsed)).not.toMatch(/[\p{Cc}]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps any input on one line of an error message', () => {
    expect(formatInput('a\nerror: b')).toBe('a\\nerror: b');
    expect(formatInput('x'.repeat(500))).toHaveLength(201);
  });
});
