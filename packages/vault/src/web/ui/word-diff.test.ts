import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffWords } from './word-diff.ts';

const marked = (parts: { text: string; isChanged: boolean }[] | undefined): string[] =>
  parts?.filter(({ isChanged }) => isChanged).map(({ text }) => text) ?? [];

it('the word diff marks words that differ, unless the lines have little in common', () => {
  const marks = diffWords('The roof leaks at the north side.', 'The roof leaks at the south side, badly.');
  expect(marked(marks?.before)).toEqual(['north']);
  expect(marked(marks?.after)).toEqual(['south', ', badly']);
  expect(diffWords('one two three', 'quite another thing')).toBeNull();
});

it('the word diff keeps the text of both lines', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const marks = diffWords(before, after);
      if (marks === null) return;
      expect(marks.before.map(({ text }) => text).join('')).toBe(before);
      expect(marks.after.map(({ text }) => text).join('')).toBe(after);
    }),
  );
});
