import { expect, it } from 'vitest';
import { endingOf, freeName, isPortable, portableStem, slugOf } from './portable-name.ts';

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
])('the file %j gets the portable name %j', (name, stem) => {
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
])('the words %j make the slug %j', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

it.each([
  ['shot.PNG', '.png'],
  ['.png', ''],
  ['folder.d/file', ''],
  ['a.tar.gz', '.gz'],
])('the ending of %j is %j', (name, ending) => {
  expect(endingOf(name)).toBe(ending);
});

it('a name that is taken gets a number before its ending', () => {
  const free = (name: string, ...taken: string[]): string => freeName(name, (each) => taken.includes(each));
  expect(free('a.png')).toBe('a.png');
  expect(free('a.png', 'a.png', 'a-2.png')).toBe('a-3.png');
  expect(free('folder', 'folder')).toBe('folder-2');
});
