import { expect, it } from 'vitest';
import { parseDiff } from './parse-diff.ts';

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
