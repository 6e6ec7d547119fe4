import { afterAll, describe, expect, it } from 'vitest';
import { createIntake } from '../../packages/vault/src/intake/index.ts';
import type { Conversion, Rejection } from '../../packages/vault/src/intake/index.ts';
import { encode } from './mails.ts';

const intake = createIntake();
const narrow = createIntake({ limits: { tableRows: 3 } });
afterAll(() => {
  intake.close();
  narrow.close();
});

async function takeIn(name: string, content: string | Buffer, by = intake): Promise<Conversion | Rejection> {
  return (await by.takeIn({ name, bytes: Buffer.from(content) }, () => 'stem')).outcome;
}

const utf16le = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
const utf16be = (text: string): Buffer => utf16le(text).swap16();
const misread = 'The text encoding is unknown and was read as Windows-1252; check the accented letters.';

describe('a CSV or TSV file', () => {
  it.each<[string, string, string | Buffer, string]>([
    [
      'with semicolons and decimal commas',
      'dépenses.csv',
      'Date;Libellé;Montant (EUR, TTC)\r\n14/07/2025;Boulangerie;-3,40\r\n15/07/2025;Salaire, juillet;2 450,00\r\n',
      '| Date | Libellé | Montant (EUR, TTC) |\n| --- | --- | --- |\n| 14/07/2025 | Boulangerie | -3,40 |\n| 15/07/2025 | Salaire, juillet | 2 450,00 |',
    ],
    [
      'with commas, quotes and lines in cells',
      'notes.csv',
      'id,note,code\n007,"He said ""yes"",\nthen left",a|b\n008,,1e5\n',
      '| id | note | code |\n| --- | --- | --- |\n| 007 | He said "yes",<br>then left | a\\|b |\n| 008 |  | 1e5 |',
    ],
    [
      'with tabs',
      'people.tsv',
      'name\tage\tcity\nAna, Dr.\t41\tLyon\n\nBo\t\tÅrhus\n',
      '| name | age | city |\n| --- | --- | --- |\n| Ana, Dr. | 41 | Lyon |\n| Bo |  | Århus |',
    ],
    ['with pipes', 'a.csv', 'a|b\n1,5|2\n', '| a | b |\n| --- | --- |\n| 1,5 | 2 |'],
    ['that declares its delimiter', 'a.csv', 'sep=;\na;b\n1;2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['of one column', 'a.csv', 'name\nAna\nBo\n', '| name |\n| --- |\n| Ana |\n| Bo |'],
    ['with a byte order mark', 'a.csv', '\uFEFFa,b\n1,2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['in UTF-16', 'a.csv', utf16le('é;b\n1;2\n'), '| é | b |\n| --- | --- |\n| 1 | 2 |'],
    [
      'in Windows-1252',
      'a.csv',
      encode('Œuvre;Prix\nThéâtre;12 €\n', 'windows-1252'),
      '| Œuvre | Prix |\n| --- | --- |\n| Théâtre | 12 € |',
    ],
    [
      'with rows that are longer or shorter than its head',
      'a.csv',
      'a,b\n1\n1,2,3\n',
      '| a | b |  |\n| --- | --- | --- |\n| 1 |  |  |\n| 1 | 2 | 3 |',
    ],
  ])('becomes a markdown table: one %s', async (_kind, name, content, markdown) => {
    expect(await takeIn(name, content)).toMatchObject({ markdown, metadata: { type: 'csv' } });
  });

  it('is read with its quotes as text when they are unbalanced', async () => {
    expect(await takeIn('a.csv', 'a,b\n"x,1\ny,2\n')).toMatchObject({
      markdown: '| a | b |\n| --- | --- |\n| "x | 1 |\n| y | 2 |',
      warnings: ['Unbalanced quotation marks were treated as text.'],
    });
  });

  it('is truncated with a warning when it is too long or too wide', async () => {
    expect(await takeIn('a.csv', 'n\n1\n2\n3\n4\n', narrow)).toMatchObject({
      markdown: '| n |\n| --- |\n| 1 |\n| 2 |',
      warnings: ['The last 2 of 5 rows were omitted; the original is kept.'],
    });
    const wide = Array.from({ length: 60 }, (_, index) => `c${index}`).join(',');
    expect(await takeIn('a.csv', `${wide}\n${wide}\n`)).toMatchObject({
      markdown: expect.stringMatching(/^\| c0 \|.* \| c49 \|\n/),
      warnings: ['The last 10 of 60 columns were omitted; the original is kept.'],
    });
  });
});

describe('a text file', () => {
  it.each<[string, string, string | Buffer, string]>([
    ['unchanged', 'a.txt', 'Title\n=====\n\n\ttab  \n* x\n', 'Title\n=====\n\n\ttab  \n* x\n'],
    ['with Windows line endings', 'a.txt', 'One\r\nTwo\r\n', 'One\nTwo\n'],
    ['with a byte order mark', 'a.txt', '\uFEFFÉté', 'Été'],
    ['in UTF-16', 'a.txt', utf16le('Été 🙂'), 'Été 🙂'],
    ['in big-endian UTF-16', 'a.txt', utf16be('Été 🙂'), 'Été 🙂'],
  ])('is accepted %s', async (_how, name, content, markdown) => {
    expect(await takeIn(name, content)).toEqual({
      kind: 'converted',
      markdown,
      images: [],
      metadata: { type: 'text' },
      warnings: [],
      attachments: [],
    });
  });

  it('is read as Windows-1252, with a warning, if its encoding is unknown', async () => {
    const content = encode('L’œuvre coûte 12 €…', 'windows-1252');
    expect(await takeIn('a.txt', content)).toMatchObject({
      markdown: 'L’œuvre coûte 12 €…',
      warnings: [misread],
    });
  });
});

describe('markdown', () => {
  it.each([
    ['# Plan #\n\nText\n', 'Plan'],
    ['---\ntitle: x\n---\n\n```\n# no\n```\n\nThe *plan*\n---------\n', 'The *plan*'],
    ['Text\n\n- a\n---\n\n## Later\n', 'Later'],
    ['Only text\r\n', undefined],
    ['One\r\n===\r\n\r\nTwo\r\n', 'One'],
  ])('stays unchanged, and is named after its first heading', async (markdown, title) => {
    expect(await takeIn('a.md', markdown)).toMatchObject({
      markdown,
      metadata: title === undefined ? { type: 'markdown' } : { type: 'markdown', title },
    });
  });
});

it.each([
  ['a.txt', ' \n\t\n', 'empty'],
  ['a.csv', '\n\n', 'empty'],
  ['a.txt', utf16le('a\0b'), 'damaged'],
  ['a.csv', utf16le('a;\0b'), 'damaged'],
])('%s is rejected if it is empty or contains NUL characters', async (name, content, code) => {
  expect(await takeIn(name, content)).toMatchObject({ kind: 'refused', code });
});
