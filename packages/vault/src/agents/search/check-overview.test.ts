import { describe, expect, it } from 'vitest';
import { emptyEvidence } from './answer.ts';
import type { Evidence } from './answer.ts';
import { createOverviewChecker } from './check-overview.ts';

const find = createOverviewChecker({
  questions: [
    'Which invoices of Marie are due before 15 December, and what about the ADEME grant of 4000 €?',
  ],
  paths: ['vault/projects/Boat/state.md', 'vault/people/ines.md'],
  today: new Date(2026, 10, 18),
});

function evidence(text: string, headings: string[] = []): Evidence {
  const lines = text.split('\n').length;
  const block = { number: 1, path: 'vault/projects/Boat/state.md', start: 1, end: lines, revision: '', text };
  return { ...emptyEvidence, blocks: [block], entries: 1, headings };
}

const boat = evidence(
  [
    '| Day | What | Price |',
    '| --- | --- | --- |',
    '| 2026-11-02 | Buoys from Le Gall | 40,00 |',
    '| 2026-11-09 | Rope | 35,50 |',
    '| 2026-12-01 | Paint | 18 114,35 |',
    'Paul owes 75 € and 20 € since March; phone 06 12 34 56 78. Born in 1981. Open from 14:30.',
  ].join('\n'),
  ['2025-07-14', 'Orders of Soizic'],
);

describe('what an overview may state', () => {
  it.each([
    ['names, numbers and dates of the cited lines', 'Buoys from Le Gall cost 40 € [1]; Paul owes 75 €.'],
    ['another form of a date or number', 'Paint: 1 December 2026, 18,114.35 €; the rope on 9 novembre.'],
    ['a date without its year or with its weekday', 'The paint came on Tuesday, December 1.'],
    ['a month in another language', 'Paul doit 75 € depuis mars, since March.'],
    ['words of the headings above the lines', 'Decided on 14 July 2025, as Soizic ordered.'],
    ['words of the question', 'The ADEME grant of 4,000 € for Marie is due before 15 December.'],
    ['today and the days of this week', 'Today is Wednesday 18 November 2026; tomorrow is the 19 November.'],
    ['the time until a date, or since', 'The paint is due in 13 days, in 2 weeks; the rope is 9 days old.'],
    ['an age', 'She is 45 years old, née en 1981, donc 45 ans.'],
    [
      'a total of a column or of amounts with a unit',
      'In total 75,50 € for buoys and rope, and he owes 95 €.',
    ],
    ['a difference', 'Paul owes 55 € more than before.'],
    ['a rounded number', 'The paint costs about 18 100 €, roughly 18,000 €.'],
    ['a count of no more than the cited lines', 'There are 3 orders in 2 months.'],
    ['digits that are grouped otherwise', 'His phone is 0612345678.'],
    ['an hour in another form', 'It opens at 2:30 pm.'],
    [
      'names of files, where it looked',
      'I looked in vault/projects/Boat/state.md:12 and at Ines, on lines 31-40.',
    ],
    ['the header of a table', '| Next Due | Supplier Name |\n| --- | --- |\n| 2026-12-01 | Le Gall |'],
    ['nouns in German', 'Die Farbe ist am 1. Dezember fällig, und der Preis ist nicht bekannt.'],
    ['the first word of a sentence, item or cell', 'Yes. Painting is left.\n- Rope\n1. Sails: Ordered'],
  ])('includes %s', (_, overview) => {
    expect(find(overview, boat)).toEqual([]);
  });

  it.each([
    ['a number', 'The mast costs 912,20 € [1].', ['912,20']],
    ['a date as it is written', 'Bought on 3 August 2026.', ['3 August 2026']],
    ['a date in the form of the vault', 'Bought on 2026-08-03.', ['2026-08-03']],
    ['a date with another year', 'The rope came on 9 November 2024.', ['9 November 2024']],
    ['a name', 'It was sold by Gérard Dupont.', ['Gérard', 'Dupont']],
    ['a citation', 'Paul owes 75 € [1][2][7].', ['[2]', '[7]']],
    ['a range of citations', 'Paul owes 75 € [1-3].', ['[2]', '[3]']],
    ['a time span', 'The paint is due in 47 days.', ['47']],
    ['a count of more than the cited lines', 'There are 26 orders.', ['26']],
    ['a wrong total', 'In total 77,50 €.', ['77,50']],
    ['a number once, wherever it occurs', 'It costs 912 €.\nYes, 912 €.', ['912']],
  ])('does not include %s that no cited line contains', (_, overview, unsupported) => {
    expect(find(overview, boat)).toEqual(unsupported);
  });

  it.each([
    ['the month of a date without a day', 'Started 2026-07.', 'It started in July.'],
    ['the rest after several amounts', 'Budget 3,200 €.\nHob 1,140 €.\nOven 729 €.', '1,331 € are left.'],
    ['a product', '7 classes of 29 € each.', 'In total 203 €.'],
    ['a percentage', '219 of 312 pages are read.', 'You have read 70 %.'],
  ])('includes %s', (_, text, overview) => {
    expect(find(overview, evidence(text))).toEqual([]);
  });

  it('does not include a product or percentage of other numbers', () => {
    expect(find('In total 213 €, 71 %.', evidence('7 classes of 29 € each; 219 of 312 pages.'))).toEqual([
      '213',
      '71',
    ]);
  });

  it('does not include figures above lines about something else', () => {
    const overview = 'The repairs cost 18 114,35 € [1][2].';
    expect(find(overview, evidence('Three buoys are in the shed.'))).toEqual(['18 114,35', '[2]']);
  });

  it('without citations is the question and where the agent looked', () => {
    expect(find('Nothing on Marie before 15 December; I looked in the notes of the Boat.', null)).toEqual([]);
    expect(find('Paul owes 75 €.\nHe said so to Soizic [1].', null)).toEqual(['75', 'Soizic', '[1]']);
  });
});
