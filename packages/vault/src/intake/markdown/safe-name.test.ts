import { expect, it } from 'vitest';
import { nameFromTitle, safeName, uniqueName } from './safe-name.ts';

it.each([
  ['C:\\Users\\Ana\\facture n°3.pdf', 'facture n°3.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['..', 'unnamed'],
  ['.hidden', 'hidden'],
  ['a\u202Efdp.exe', 'a fdp.exe'],
  ['a\0b\n: "c"?.txt', 'a b c .txt'],
  [`${'x'.repeat(200)}.docx`, `${'x'.repeat(115)}.docx`],
  [`${'.'.repeat(500_000)}x`, 'unnamed'],
])('the name %j is made safe', (name, safe) => {
  expect(safeName(name, 'unnamed')).toBe(safe);
});

it('the name of a message is its subject', () => {
  expect(nameFromTitle('Re: devis / offre', '.eml')).toBe('Re devis - offre.eml');
  expect(nameFromTitle('', '.eml')).toBe('message.eml');
  expect(nameFromTitle('x'.repeat(500), '.eml')).toHaveLength(120);
});

it('two names are told apart, whatever their case', () => {
  const taken = new Set<string>();
  const names = ['a.pdf', 'A.pdf', 'a.pdf', 'notes', 'notes'].map((name) => uniqueName(name, taken));
  expect(names).toEqual(['a.pdf', 'A-2.pdf', 'a-3.pdf', 'notes', 'notes-2']);
});
