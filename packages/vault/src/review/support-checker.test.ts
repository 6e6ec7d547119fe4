import { describe, expect, it } from 'vitest';
import { supportChecker } from './support-checker.ts';

const sources = [
  'Le devis de Marie Dupont est de 1 250,50 €, livraison le 3 mars, vingt-quatre chaises.',
  'Chairs for the harbour: £2,400, call back in November. Das Angebot gilt bis 12. April 2026.',
  'Open from 5 to 14 June 2026. Vom 11. bis zum 14. August.',
];
const check = (language: 'fr' | 'en' | 'de', texts: readonly string[] = sources) =>
  supportChecker({ texts, days: ['2026-02-27'] }, language);

describe('a name, number or date', () => {
  it.each([
    '# 2026-02-27',
    '- **Devis** : 1250.50 € (Dupont)',
    'Livraison le 3 mars 2026',
    'deadline: 2026-03-03',
    'It arrives on Tuesday, March 3rd',
    '24 chaises, 20 en plus de 4',
    '2. The harbour pays 2400',
    'due: 2026-11',
    '2026-04-12, ein Sonntag',
    'Said again. Anna is a new sentence, so it may be a word like any other',
    '| Who | What |',
    '## [decision] Keep the chairs',
    '## Chairs For Everyone Bought',
    "Marie's offer",
    'open from 2026-06-05 until 2026-06-14',
    'vom 2026-08-11 an',
    'Lieferung am 3.3., Angebot bis 12.04.2026.',
    'Livraison le 03/03',
  ])('is supported by the sources in the line %j', (line) => {
    expect(check('en')(line)).toEqual([]);
  });

  it.each([
    ['Le devis est de 1 350 €', ['1 350']],
    ['Livraison le 4 mars', ['03-04']],
    ['deadline: 2026-03-04', ['2026-03-04']],
    ['deadline: 2024-04-12', ['2024-04-12']],
    ['25 chaises', ['25']],
    ['Agreed with Bob and Marie', ['Bob']],
    ['Delivered on a Friday in October', ['October']],
    ['Version 2.75 (Dupont)', ['2.75']],
    ['Lieferung am 4.3.', ['4.3']],
  ])('is not supported by the sources in the line %j', (line, strange) => {
    expect(check('en')(line)).toEqual(strange);
  });

  it('in German is checked only if it is a number or date, because every noun is capitalized', () => {
    expect(check('de')('Das Angebot für den Kindergarten gilt')).toEqual([]);
    expect(check('de')('Das Angebot über 99 Stühle')).toEqual(['99']);
  });

  it.each([
    ['two hundred', 200],
    ['three thousand five hundred', 3_500],
    ['one hundred and twenty-four', 124],
    ['twelve hundred', 1_200],
    ['Twenty-two thousand', 22_000],
    ['vierundzwanzig', 24],
    ['zweihundertfünfzig', 250],
    ['dreitausendfünfhundert', 3_500],
    ['tausendeinhundertsiebenundneunzig', 1_197],
    ['einunddreißig', 31],
    ['dix-sept', 17],
    ['vingt et un', 21],
    ['soixante-quinze', 75],
    ['quatre-vingts', 80],
    ['quatre-vingt-dix-huit', 98],
    ['deux cents', 200],
    ['trois mille cinq cent quatre-vingt-dix', 3_590],
  ])('written in digits is supported by the words %j', (words, number) => {
    expect(check('en', [words])(`It is ${number}`)).toEqual([]);
    expect(check('en', [words])(`It is ${number + 1}`)).toEqual([String(number + 1)]);
  });

  it('is not supported by a combination of adjacent numbers', () => {
    const three = check('en', ['two three, seven eight; zwölf und drei']);
    expect(three('It is 5, 15, 23, 56, 78 or 123')).toEqual(['5', '15', '23', '56', '78', '123']);
  });
});

describe('a number that the sources say in other forms', () => {
  it.each([
    ['Le pain coûte 4 euros 20, le beurre 3€50.', 'Pain 4,20 €, beurre 3,50 €'],
    ['On se voit à huit heures et demie.', 'Rendez-vous à 8:30'],
    ['Déjeuner à midi et quart.', 'Déjeuner à 12:15'],
    ['Dinner at a quarter to eight in the evening.', 'Dinner 19:45'],
    ['Un budget de 24k€.', 'Budget : 24 000 €'],
    ['Un budget de 24 000 €.', 'Budget : 24 k€'],
    ['Son numéro : 06.12.34.56.78', 'Tél. 06 12 34 56 78'],
    ['Son numéro : 0240112233', 'Tél. 02 40 11 22 33'],
    ['Un budget de 1,2 million.', 'Budget : 1 200 000 €'],
  ])('%j supports %j', (source, line) => {
    expect(check('fr', [source])(line)).toEqual([]);
  });

  it.each([
    ['Le pain coûte 4 euros 20.', 'Pain 4,30 €', ['4,30']],
    ['On se voit à huit heures.', 'Rendez-vous à 8:30', ['30']],
    ['Son numéro : 06.12.34.56.78', 'Tél. 06 12 34 56 79', ['34', '56', '79']],
  ])('%j does not support %j', (source, line, found) => {
    expect(check('fr', [source])(line)).toEqual(found);
  });

  it.each(['Start 17:30', 'Start at half past five pm', 'start at 5:30 pm'])(
    'is a time in another notation than in %j',
    (source) => {
      const find = check('de', [source]);
      expect(['at 5.30 pm', 'um 17.30 Uhr'].flatMap(find)).toEqual([]);
      expect(find('at 5.45 pm')).toEqual(['5.45']);
    },
  );
});
