import { monthNames, weekdayNames } from '../contract/index.ts';
import { fold } from './fold.ts';

/** A date as written; “15 September” has no year. */
export type Day = { year?: number | undefined; month: number; day: number };

const months = numbered(monthNames);
const weekdays = numbered(weekdayNames);

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

/** Maps each name to its number, from 1. */
function numbered(names: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  return new Map(names.flatMap((each, index) => each.map((name) => [name, index + 1] as const)));
}
