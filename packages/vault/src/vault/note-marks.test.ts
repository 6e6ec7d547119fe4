import { expect, it } from 'vitest';
import { hasTag, parseNoteMarks, readNoteMarks } from './note-marks.ts';
import type { VaultPath } from './path.ts';

const marksOf = (text: string) => {
  const { tags, isPinned } = readNoteMarks('vault/a.md' as VaultPath, parseNoteMarks(text));
  return [isPinned, ...tags];
};

it.each<[string, unknown[]]>([
  ['Call #work and #home/garden.', [false, 'work', 'home/garden']],
  ['---\ntags: [Work, "été"]\npinned: true\n---\nText #work', [true, 'Work', 'été']],
  ['---\ntags:\n  - a\n  - "#b"\n---\n', [false, 'a', 'b']],
  ['---\ntags: a, b\n---\n', [false, 'a', 'b']],
  ['---\npinned: true\n---\n', [true]],
  ['---\npinned: false\n---\n', [false]],
  ['# Heading\n\nIssue #12, a#b, `#code`, [x](#anchor), [[n#h]]\n```\n#fence\n```\n<!-- #no -->\n', [false]],
])('the marks of %j are %j', (text, marks) => {
  expect(marksOf(text)).toEqual(marks);
});

it('keep the date of a note without `updated`', () => {
  const dateOf = (yaml: string) =>
    readNoteMarks('vault/a.md' as VaultPath, parseNoteMarks(`---\n${yaml}\n---\n`)).date;
  expect(dateOf('date: 2024-02-03\ncreated: 2020-01-01')).toBe('2024-02-03T00:00:00');
  expect(dateOf('created: 2020-01-01T10:00')).toBe('2020-01-01T10:00:00');
  expect(dateOf('updated: 2026-01-01\ncreated: 2020-01-01')).toBeNull();
  expect(dateOf('date: soon')).toBeNull();
});

it('are empty for a note without any', () => {
  expect(parseNoteMarks('Just text.')).toBe('');
});

it.each([
  ['été', true],
  ['#ETE/', true],
  ['ete/plage', true],
  ['ét', false],
  ['plage', false],
])('have the tag %j, in any case and with any accents: %s', (tag, has) => {
  expect(hasTag({ tags: ['Été/Plage'] }, tag)).toBe(has);
});
