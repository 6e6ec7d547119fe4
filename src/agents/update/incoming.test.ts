import { expect, it } from 'vitest';
import { freeName, portableName } from './incoming.ts';

it.each([
  ['plan of the flat.PNG', 'plan-of-the-flat.png'],
  ['../../etc/passwd.md', 'passwd.md'],
  ['C:\\Users\\me\\notes.txt', 'notes.md'],
  ['.hidden.png', 'hidden.png'],
  ['CON.md', 'file-CON.md'],
  ['été à la mer.md', 'été-à-la-mer.md'],
  ['a\nb\u202Ec.md', 'a-b-c.md'],
  ['…', 'file.md'],
  ['.png', 'png.md'],
  [`${'x'.repeat(300)}.md`, `${'x'.repeat(60)}.md`],
])('%j is kept as %j', (name, kept) => {
  expect(portableName(name)).toBe(kept);
});

it('a name that is taken gets a number before its ending', () => {
  expect(freeName('a.png', new Set())).toBe('a.png');
  expect(freeName('a.png', new Set(['a.png', 'a-2.png']))).toBe('a-3.png');
  expect(freeName('folder', new Set(['folder']))).toBe('folder-2');
});
