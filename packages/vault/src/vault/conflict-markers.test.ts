import { expect, it } from 'vitest';
import { parseConflictMarkers, resolveConflictMarkers } from './conflict-markers.ts';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const conflict = ['<<<<<<< HEAD', 'mine', '=======', 'theirs', 'more', '>>>>>>> laptop'];

it('parseConflictMarkers parses both sides of git conflict markers, with or without the base', () => {
  expect(parseConflictMarkers(text('# Plan', ...conflict, 'end', ...conflict))).toEqual([
    { ours: ['mine'], theirs: ['theirs', 'more'] },
    { ours: ['mine'], theirs: ['theirs', 'more'] },
  ]);
  expect(parseConflictMarkers(text(...conflict.toSpliced(2, 0, '||||||| 1a2b3c', 'before')))).toEqual([
    { ours: ['mine'], theirs: ['theirs', 'more'] },
  ]);
});

it.each([
  ['an incomplete conflict', conflict.slice(0, 4)],
  ['a conflict in a code block', ['```', ...conflict, '```']],
  ['an underlined heading', ['Heading', '=======', '']],
  ['the end of a conflict', conflict.slice(2)],
])('parseConflictMarkers treats %s as text', (_, lines) => {
  expect(parseConflictMarkers(text(...lines))).toEqual([]);
});

it('resolveConflictMarkers changes no byte outside of the conflicts', () => {
  const mixed = `# Plan\r\n${text(...conflict)}\r\nlast line`;
  expect(resolveConflictMarkers(mixed, 'ours')).toBe('# Plan\r\nmine\n\r\nlast line');
  expect(resolveConflictMarkers(mixed, 'both')).toBe('# Plan\r\nmine\ntheirs\nmore\n\r\nlast line');
  expect(resolveConflictMarkers('a\r\nb', 'ours')).toBe('a\r\nb');
});
