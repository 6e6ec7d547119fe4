import { expect, it } from 'vitest';
import { changesText, countChangedLines, parseDiff, parseMovedFrom } from './parse-diff.ts';

it('parseDiff keeps remarks about omitted lines, even if the whole diff is omitted', () => {
  const [hunk] = parseDiff(
    '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n+y\n\\ 9 more lines omitted: the diff is too long',
  );
  expect(hunk?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'removed x',
    'added y',
    'meta 9 more lines omitted: the diff is too long',
  ]);
  expect(parseDiff('--- a\n+++ a\n\\ omitted: x')).toMatchObject([
    { lines: [{ kind: 'meta', text: 'omitted: x' }] },
  ]);
});

const shown = (diff: string): string[] =>
  parseDiff(diff).flatMap(({ lines }) => lines.map(({ kind, text }) => `${kind} ${text}`));

it('parseDiff leaves out stamps, and hunks that change nothing else', () => {
  const stamps = [
    '@@ -1,7 +1,8 @@',
    ' ---',
    ' created: 2025-01-01T10:00:00',
    '-updated: 2025-01-01T10:00:00',
    '+updated: 2025-01-02T10:00:00',
    '-tokens: 3',
    '+tokens: 4',
  ];
  expect(shown([...stamps, '+type: note', ' ---', ' ', '-one', '+two'].join('\n'))).toEqual([
    'context ---',
    'added type: note',
    'context ---',
    'context ',
    'removed one',
    'added two',
  ]);
  expect(parseDiff([...stamps, ' ---', ' ', ' one'].join('\n'))).toEqual([]);
  const fresh = [
    '@@ -0,0 +1,6 @@',
    '+---',
    '+created: 2025-01-01T10:00:00',
    '+tokens: 1',
    '+---',
    '+',
    '+text',
  ];
  expect(shown(fresh.join('\n'))).toEqual(['added text']);
  expect(shown([...stamps, ' ---', ' ', '-one', '+two'].join('\n'))).toEqual(['removed one', 'added two']);
});

it('parseDiff keeps text that only looks like a stamp', () => {
  for (const lines of [
    ['@@ -1,3 +1,3 @@', ' ---', '-updated: by Marie', '+updated: by Paul', ' ---'],
    ['@@ -1,3 +1,3 @@', ' # Log', ' ---', '-tokens: 3', '+tokens: 4', ' ---'],
    ['@@ -9,3 +9,3 @@', ' ---', '-tokens: 3', '+tokens: 4', ' ---'],
  ])
    expect(shown(lines.join('\n')).filter((line) => !line.startsWith('context'))).toHaveLength(2);
});

it('countChangedLines counts added and removed lines', () => {
  const diff = '@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d';
  expect(countChangedLines(parseDiff(diff))).toEqual({ added: 2, removed: 1, isAll: true });
  const cut = `${diff}\n\\ 9 more lines omitted: the diff is too long`;
  expect(countChangedLines(parseDiff(cut))).toMatchObject({ isAll: false });
});

it('parseMovedFrom returns the old path of a moved file only', () => {
  expect(parseMovedFrom('--- vault/a.md\n+++ vault/b.md\n@@ -1,1 +1,1 @@\n-x\n+y')).toBe('vault/a.md');
  expect(parseMovedFrom('--- vault/a.md\n+++ vault/a.md\n@@ -1,1 +1,1 @@\n-x\n+y')).toBeNull();
  expect(parseMovedFrom('--- /dev/null\n+++ vault/a.md\n@@ -0,0 +1,1 @@\n+y')).toBeNull();
});

it('changesText is false only for a diff that changes stamps', () => {
  const stamps = '--- vault/a.md\n+++ vault/a.md\n@@ -1,4 +1,4 @@\n ---\n-tokens: 3\n+tokens: 4\n ---\n one';
  expect(changesText(stamps)).toBe(false);
  expect(changesText(stamps.replace(' one', '-one'))).toBe(true);
  expect(changesText('--- /dev/null\n+++ vault/a.md')).toBe(true);
  expect(changesText('--- vault/a.png\n+++ vault/a.png\nbinary content differs')).toBe(true);
  expect(changesText('--- vault/a.md\n+++ vault/b.md')).toBe(true);
});
