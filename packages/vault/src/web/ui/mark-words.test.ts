import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markWords } from './mark-words.ts';

const marked = (parts: { text: string; isMarked: boolean }[] | undefined): string[] =>
  parts?.filter(({ isMarked }) => isMarked).map(({ text }) => text) ?? [];

it('words that differ are marked, and none where the lines have little in common', () => {
  const marks = markWords('The roof leaks at the north side.', 'The roof leaks at the south side, badly.');
  expect(marked(marks?.before)).toEqual(['north']);
  expect(marked(marks?.after)).toEqual(['south', ', badly']);
  expect(markWords('one two three', 'quite another thing')).toBeNull();
});

it('the parts of a line are the line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (before, after) => {
      const marks = markWords(before, after);
      if (marks === null) return;
      expect(marks.before.map(({ text }) => text).join('')).toBe(before);
      expect(marks.after.map(({ text }) => text).join('')).toBe(after);
    }),
  );
});
