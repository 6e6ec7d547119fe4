import { expect, it } from 'vitest';
import { countLines, parseDiff } from './parse-diff.ts';

it('what a diff leaves out is said in it, also where all of it is left out', () => {
  const [hunk] = parseDiff(
    '--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n+y\n\\ 9 more lines of this diff are left out: it is too long',
  );
  expect(hunk?.lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'removed x',
    'added y',
    'remark 9 more lines of this diff are left out: it is too long',
  ]);
  expect(parseDiff('--- a\n+++ a\n\\ left out: x')).toMatchObject([
    { lines: [{ kind: 'remark', text: 'left out: x' }] },
  ]);
});

const shown = (diff: string): string[] =>
  parseDiff(diff).flatMap(({ lines }) => lines.map(({ kind, text }) => `${kind} ${text}`));

it('stamps are left out, and a change of nothing else is none', () => {
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
    'same ---',
    'added type: note',
    'same ---',
    'same ',
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

it('nothing that somebody wrote is taken for a stamp', () => {
  for (const lines of [
    ['@@ -1,3 +1,3 @@', ' ---', '-updated: by Marie', '+updated: by Paul', ' ---'],
    ['@@ -1,3 +1,3 @@', ' # Log', ' ---', '-tokens: 3', '+tokens: 4', ' ---'],
    ['@@ -9,3 +9,3 @@', ' ---', '-tokens: 3', '+tokens: 4', ' ---'],
  ])
    expect(shown(lines.join('\n')).filter((line) => !line.startsWith('same'))).toHaveLength(2);
});

it('lines are counted', () => {
  const diff = '@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d';
  expect(countLines(parseDiff(diff))).toEqual({ added: 2, removed: 1, isAll: true });
  const cut = `${diff}\n\\ 9 more lines of this diff are left out: it is too long`;
  expect(countLines(parseDiff(cut))).toMatchObject({ isAll: false });
});
