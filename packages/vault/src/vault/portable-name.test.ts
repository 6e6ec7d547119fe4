import { expect, it } from 'vitest';
import { extensionOf, findFreeName, isPortable, portableStem, slugify } from './portable-name.ts';

it.each([
  ['plan of the flat.PNG', 'plan-of-the-flat'],
  ['../../etc/passwd.md', 'passwd'],
  ['C:\\Users\\me\\notes.txt', 'notes'],
  ['.hidden.png', 'hidden'],
  ['CON.md', 'file-CON'],
  ['été à la mer.md', 'été-à-la-mer'],
  ['a\nb\u202Ec.md', 'a-b-c'],
  ['…', 'file'],
  ['.png', 'png'],
  [`${'x'.repeat(300)}.md`, 'x'.repeat(60)],
])('portableStem converts %j to %j', (name, stem) => {
  expect(portableStem(name)).toBe(stem);
  expect(isPortable(stem)).toBe(true);
});

it.each([
  ['Réunion à Orléans : l’API', 'reunion-a-orleans-l-api'],
  ['Re\u0301union', 'reunion'],
  ['Straße, Œuvre, cæsar, Ørsted, Łódź', 'strasse-oeuvre-caesar-orsted-lodz'],
  ['Nguyễn İzmir', 'nguyen-izmir'],
  ['Встреча в Киеве', 'встреча-в-киеве'],
  ['한국어 회의', '한국어-회의'],
  ['हिन्दी बैठक', 'हिन्दी-बैठक'],
  ['会議のメモ', '会議のメモ'],
  ['❤️ 1️⃣ \u202E../..\0', '1'],
  ['…', ''],
])('slugify converts %j to %j', (text, slug) => {
  expect(slugify(text)).toBe(slug);
});

it.each([
  ['shot.PNG', '.png'],
  ['.png', ''],
  ['folder.d/file', ''],
  ['a.tar.gz', '.gz'],
  ['1709240.M1P0.host:2,S', ''],
  ['lease.pdf ', ''],
])('the extension of %j is %j', (name, ending) => {
  expect(extensionOf(name)).toBe(ending);
});

it('findFreeName adds a number before the extension of a taken name', () => {
  const free = (name: string, ...taken: string[]): string =>
    findFreeName(name, (each) => taken.includes(each));
  expect(free('a.png')).toBe('a.png');
  expect(free('a.png', 'a.png', 'a-2.png')).toBe('a-3.png');
  expect(free('folder', 'folder')).toBe('folder-2');
});
