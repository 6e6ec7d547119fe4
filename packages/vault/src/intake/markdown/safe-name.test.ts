import { expect, it } from 'vitest';
import { fileNameFromTitle, sanitizeFileName, uniqueName } from './safe-name.ts';

it.each([
  ['C:\\Users\\Ana\\facture n°3.pdf', 'facture n°3.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['..', 'unnamed'],
  ['.hidden', 'hidden'],
  ['a\u202Efdp.exe', 'a fdp.exe'],
  ['a\0b\n: "c"?.txt', 'a b c .txt'],
  [`${'x'.repeat(200)}.docx`, `${'x'.repeat(115)}.docx`],
  [`${'.'.repeat(500_000)}x`, 'unnamed'],
])('the name %j is sanitized', (name, safe) => {
  expect(sanitizeFileName(name, 'unnamed')).toBe(safe);
});

it('a message is named after its subject', () => {
  expect(fileNameFromTitle('Re: devis / offre', '.eml')).toBe('Re devis - offre.eml');
  expect(fileNameFromTitle('', '.eml')).toBe('message.eml');
  expect(fileNameFromTitle('x'.repeat(500), '.eml')).toHaveLength(120);
});

it('two names that differ only in case are made unique', () => {
  const usedNames = new Set<string>();
  const names = ['a.pdf', 'A.pdf', 'a.pdf', 'notes', 'notes'].map((name) => uniqueName(name, usedNames));
  expect(names).toEqual(['a.pdf', 'A-2.pdf', 'a-3.pdf', 'notes', 'notes-2']);
});
