import { monthNames } from '../contract/index.ts';
import { normalizeText } from './tokenizer.ts';

/** A day or month as written in a query; omitted parts are null. */
export type PartialDate = { year: string | null; month: string; day: string | null };

const monthNumbers = new Map(
  monthNames.flatMap((names, index) =>
    names.map((name) => [name, String(index + 1).padStart(2, '0')] as const),
  ),
);

const day = String.raw`(\d{1,2})(?:st|nd|rd|th|er)?`;
const month = `(${[...monthNumbers.keys()].toSorted((a, b) => b.length - a.length).join('|')})`;
const year = String.raw`((?:19|20)\d{2})`;
/** A month named alone needs one of these prepositions, because `may` and `mars` have other meanings. */
const before =
  '(?:in|of|during|since|until|till|last|this|early|mid|late|en|de|depuis|debut|mi|fin|jusqu.en|im|seit|ab|bis|vom|anfang|mitte|ende)';
const patterns = [
  { pattern: `${day} (?:of )?${month}(?: ${year})?`, parts: ['day', 'month', 'year'] },
  { pattern: `${month} ${day}(?: ${year})?`, parts: ['month', 'day', 'year'] },
  { pattern: `${month} ${year}`, parts: ['month', 'year'] },
  { pattern: `${before} ${month}`, parts: ['month'] },
].map(({ pattern, parts }) => ({ pattern: new RegExp(String.raw`\b${pattern}\b`, 'g'), parts }));

/**
 * Finds dates written in words, in English, French or German, or with the day first: `3 May 2023`, `le 14 juillet`, `im Juni`,
 * `14.07.2025`.
 */
export function parseDates(text: string): PartialDate[] {
  let rest = normalizeText(text.replaceAll(dayFirst, monthInWords)).replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  const dates: PartialDate[] = [];
  for (const { pattern, parts } of patterns) {
    rest = rest.replace(pattern, (_, ...groups: string[]) => {
      const part = (name: string): string | null => groups[parts.indexOf(name)] ?? null;
      const dayNumber = parts.includes('day') ? part('day') : null;
      dates.push({
        year: parts.includes('year') ? part('year') : null,
        month: monthNumbers.get(part('month') ?? '') ?? '',
        day: dayNumber?.padStart(2, '0') ?? null,
      });
      return ' ';
    });
  }
  return dates;
}

const dayFirst = /\b(\d{1,2})([./])(\d{1,2})\2((?:19|20)\d{2})\b/g;

/** A second number above 12 can only be a day. */
function monthInWords(date: string, first: string, _: string, second: string, named: string): string {
  const [dayOfMonth, number] = Number(second) > 12 ? [second, first] : [first, second];
  const name = monthNames[Number(number) - 1]?.[0];
  return name === undefined ? date : `${dayOfMonth} ${name} ${named}`;
}

/** The words of dates as notes write them in digits; a date without a year, once for each of the years. */
export function datesInDigits(dates: readonly PartialDate[], years: () => readonly string[]): string[][] {
  return dates.flatMap(({ year: named, month: number, day: dayOfMonth }) =>
    (named === null ? years() : [named]).map((each) => [
      each,
      number,
      ...(dayOfMonth === null ? [] : [dayOfMonth]),
    ]),
  );
}

const digitDate = /\b(?:19|20)\d\d-\d\d(?:-\d\d)?\b/g;

/** Whether a text contains one of these dates in digits, for example `2025-07-14`. */
export function containsDate(text: string, dates: readonly PartialDate[]): boolean {
  return dates.length > 0 && [...text.matchAll(digitDate)].some(([date]) => matchesOne(date, dates));
}

/** Whether one of the dates of a chunk (`2025-07-14`, separated by spaces) matches one of these. */
export function matchesDate(chunkDates: string, dates: readonly PartialDate[]): boolean {
  return chunkDates.split(' ').some((date) => matchesOne(date, dates));
}

function matchesOne(date: string, dates: readonly PartialDate[]): boolean {
  return dates.some(
    (named) =>
      date.slice(5, 7) === named.month &&
      (named.year === null || date.startsWith(named.year)) &&
      (named.day === null || date.slice(8, 10) === named.day),
  );
}
