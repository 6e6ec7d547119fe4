import { expect, it } from 'vitest';
import { markedConflicts } from './conflict-markers.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const conflict = ['<<<<<<< HEAD', 'mine', '=======', 'theirs', 'more', '>>>>>>> laptop'];

it('what git could not merge is found with both sides, also with what they come from', () => {
  expect(markedConflicts(text('# Plan', ...conflict, 'end', ...conflict))).toEqual([
    { ours: ['mine'], theirs: ['theirs', 'more'] },
    { ours: ['mine'], theirs: ['theirs', 'more'] },
  ]);
  expect(markedConflicts(text(...conflict.toSpliced(2, 0, '||||||| 1a2b3c', 'before')))).toEqual([
    { ours: ['mine'], theirs: ['theirs', 'more'] },
  ]);
});

it.each([
  ['half of it', conflict.slice(0, 4)],
  ['a quoted one', ['```', ...conflict, '```']],
  ['a line over another', ['Heading', '=======', '']],
  ['the end of one', conflict.slice(2)],
])('%s is text', (_, lines) => {
  expect(markedConflicts(text(...lines))).toEqual([]);
});
