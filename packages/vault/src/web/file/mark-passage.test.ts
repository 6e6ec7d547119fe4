import { expect, it } from 'vitest';
import { markPassage, splitSentences } from './mark-passage.ts';
import type { PassageMarks } from './mark-passage.ts';
import type { ElementContent } from './hast.ts';
import { parseNote } from './parse-note.ts';

function marked(body: string, marks: PassageMarks): string[] {
  const { blocks } = parseNote({
    body,
    lineOffset: 10,
    isPlain: false,
    labels: { footnotes: '', callouts: {} },
  });
  const found: string[] = [];
  const visit = (node: ElementContent, isInMark: boolean): void => {
    if (node.type === 'text' && isInMark) found.push(node.value);
    if (node.type === 'element')
      for (const child of node.children) visit(child, isInMark || node.tagName === 'mark');
  };
  for (const block of markPassage(blocks, marks)) for (const child of block.children) visit(child, false);
  return found;
}

const text =
  '# Roof\n\nThe roof leaks. It is **repaired** in May, for 300 euros.\n\n- buy tiles\n- call Ana\n';

it('marks words in every kind of block, ignoring case and accents', () => {
  expect(
    marked(`${text}\n| Réunion |\n| --- |\n| roof |\n`, { words: ['roof', 'reunion'], sentence: [] }),
  ).toEqual(['Roof', 'roof', 'Réunion', 'roof']);
});

it('marks the sentence with the most terms, across emphasis', () => {
  expect(marked(text, { words: [], sentence: ['may', 'euros', 'ana'] })).toEqual([
    'It is ',
    'repaired',
    ' in May, for 300 euros.',
  ]);
  expect(marked(text, { words: ['may'], sentence: ['may', 'euros'] }).join('|')).toBe(
    'It is |repaired| in |May|, for 300 euros.',
  );
});

it('marks the preferred line if several sentences match equally or none matches', () => {
  expect(marked('one two\nthree two\n', { words: [], sentence: ['two'], line: 12 })).toEqual(['three two']);
  expect(marked('one two\nthree two\n', { words: [], sentence: ['x'], line: 12 })).toEqual(['three two']);
  expect(marked('one two\n', { words: [], sentence: ['x'] })).toEqual([]);
});

it('splits sentences at their marks and at line ends, and not inside of numbers', () => {
  const sentences = (of: string) => splitSentences(of).map(({ start, end }) => of.slice(start, end));
  expect(sentences('It costs 1.50 euros. “Fine.” Yes!\n Done ')).toEqual([
    'It costs 1.50 euros.',
    '“Fine.”',
    'Yes!',
    'Done',
  ]);
});
