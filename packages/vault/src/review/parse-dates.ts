import { fold } from './fold.ts';

/** A date as written; “15 September” has no year. */
export type Day = { year?: number | undefined; month: number; day: number };

const languages = ['en', 'fr', 'de'];
const months = namesOf(12, 'month', (index) => new Date(2024, index, 1));
// 2024-01-01 was a Monday.
const weekdays = namesOf(7, 'weekday', (index) => new Date(2024, 0, index + 1));

const monthName = [...months.keys()].toSorted((a, b) => b.length - a.length).join('|');
const forms = [
  /\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/g,
  new RegExp(
    `\\b(?<day>\\d{1,2})(?:er|st|nd|rd|th|\\.)? (?:of |de )?(?<name>${monthName})\\b\\.?(?: (?<year>\\d{4}))?`,
    'g',
  ),
  new RegExp(
    `\\b(?<name>${monthName})\\b\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)(?:,? (?<year>\\d{4}))?`,
    'g',
  ),
];
/** The first day of a range within one month: “2 to 30 March 2026”, “du 3 au 5 juin”, “vom 11. bis zum 14. Juni”. */
const dateRangeStart = new RegExp(
  `\\b(?<day>\\d{1,2})(?:er|st|nd|rd|th|\\.)?(?: ?[–-] ?| (?:to|and|or|au|et|ou|bis|und|oder)(?: the| zum)? )\\d{1,2}(?:er|st|nd|rd|th|\\.)? (?:of |de )?(?<name>${monthName})\\b\\.?(?: (?<year>\\d{4}))?`,
  'g',
);
/** Includes forms that may be a version or a price: enough to accept an expected date, not to report an unexpected one. */
const loosePatterns = [
  ...forms,
  dateRangeStart,
  /\b(?<day>\d{1,2})[./](?<month>\d{1,2})(?:[./](?<year>\d{4}))?/g,
];

/** The dates in a text, in English, French or German. */
export function findDates(text: string, mode: 'certain' | 'possible'): Day[] {
  const folded = fold(text);
  return (mode === 'certain' ? forms : loosePatterns).flatMap((form) =>
    [...folded.matchAll(form)].flatMap(({ groups = {} }) => {
      const month = groups['name'] === undefined ? Number(groups['month']) : months.get(groups['name']);
      const day = Number(groups['day']);
      if (month === undefined || month < 1 || month > 12 || day < 1 || day > 31) return [];
      return [{ month, day, year: groups['year'] === undefined ? undefined : Number(groups['year']) }];
    }),
  );
}

/** The months named in a text, as numbers. */
export function findMonths(text: string): number[] {
  return (fold(text).match(/\p{L}+/gu) ?? []).flatMap((word) => months.get(word) ?? []);
}

/** All names of the month and, if the year is known, of the weekday. */
export function dateNames({ year, month, day }: Day): string[] {
  const weekday = year === undefined ? null : (new Date(year, month - 1, day).getDay() + 6) % 7;
  return [
    ...[...months].flatMap(([name, number]) => (number === month ? [name] : [])),
    ...[...weekdays].flatMap(([name, number]) => (number - 1 === weekday ? [name] : [])),
  ];
}

/** Maps the normalized long and short names in every language to their number, from 1. */
function namesOf(
  count: number,
  part: 'month' | 'weekday',
  dateOf: (index: number) => Date,
): ReadonlyMap<string, number> {
  const indexes = Array.from({ length: count }, (_, index) => index);
  const pairs = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((length) => {
      const format = new Intl.DateTimeFormat(language, { [part]: length });
      return indexes.map(
        (index) => [fold(format.format(dateOf(index))).replace('.', ''), index + 1] as const,
      );
    }),
  );
  return new Map(pairs);
}
