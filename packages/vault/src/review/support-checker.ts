import { findDates, findMonths, dateNames } from './parse-dates.ts';
import type { Day } from './parse-dates.ts';
import { findNumbers, findNumberWords, findSpokenTimes, findSplitAmounts } from './parse-numbers.ts';
import { fold, withoutPlural } from './fold.ts';

export type SupportSources = {
  /** The initial vault, the inputs, and the additionally allowed texts. */
  texts: readonly string[];
  /** The days on which inputs were filed, as `2026-03-02`. */
  days: readonly string[];
};

/** Returns the names, numbers and dates of a line that no source supports, as written. */
export type FindUnsupported = (line: string) => string[];

/**
 * Checks whether the names, numbers and dates of a line occur in the sources. Names are capitalized words within a sentence; German
 * capitalizes every noun, so only numbers and dates are checked there. This is a lower bound: other inventions go undetected.
 */
export function supportChecker(
  { texts, days }: SupportSources,
  language: 'fr' | 'en' | 'de',
): FindUnsupported {
  const all = [...texts, ...days].join('\n');
  const known = findDates(all, 'possible');
  const values = findNumbers(all).flatMap(({ meanings }) => meanings);
  const spoken = findNumberWords(all);
  const numbers = new Set([
    0,
    ...values,
    ...spoken,
    ...findSplitAmounts(all),
    ...texts.flatMap((text) => findSpokenTimes(text, [...values, ...spoken])),
    ...findMonths(all),
    ...known.flatMap(({ year, month, day }) => [year ?? month, month, day]),
  ]);
  const phones = new Set(all.match(phoneNumber)?.map(digitsOf));
  const years = yearsOf(days, numbers);
  const dated = known.flatMap((day) =>
    day.year === undefined ? years.map((year) => ({ ...day, year })) : [day],
  );
  const words = new Set([...wordsIn(all), ...dated.flatMap(dateNames), ...commonNames].map(withoutPlural));

  const isKnownDay = ({ year, month, day }: Day): boolean =>
    dated.some(
      (each) => each.month === month && each.day === day && (year === undefined || each.year === year),
    );
  const isKnownTime = (hour: number, minute: number, half: string): boolean =>
    numbers.has(minute) && (numbers.has(hour) || (/^p/i.test(half) && numbers.has(hour + 12)));
  return (line) => {
    const bare = line.replace(/^\s*\d+[.)]\s/, '').replaceAll(/[*_`]/g, '');
    const strangeDays = findDates(bare, 'certain').filter((day) => !isKnownDay(day));
    const undated = bare
      .replaceAll(/\d{4}-\d{2}-\d{2}/g, ' ')
      .replaceAll(dayInDigits, (written) => (findDates(written, 'possible').some(isKnownDay) ? ' ' : written))
      .replaceAll(clockTime, (written, hour: string, minute: string, half: string) =>
        isKnownTime(Number(hour), Number(minute), half) ? ' ' : written,
      )
      .replaceAll(phoneNumber, (phone) => (phones.has(digitsOf(phone)) ? ' ' : phone));
    const strangeNumbers = findNumbers(undated).filter(
      ({ meanings }) => !meanings.some((each) => numbers.has(each)),
    );
    const strangeNames =
      language === 'de' ? [] : namesIn(bare).filter((name) => !words.has(withoutPlural(fold(name))));
    return [...strangeDays.map(showDay), ...strangeNumbers.map(({ written }) => written), ...strangeNames];
  };
}

/** Names that may be written without a source: currencies are often said as a sign or in words. */
const commonNames = ['keepsake', 'ok', 'eur', 'usd', 'gbp', 'chf'];

/** Groups of digits, which are separated differently from text to text. */
const phoneNumber = /(?<!\d)(?:\d{2,4}(?:[ .-]\d{2,4}){2,}|\d{9,})(?!\d)/g;

/** “30.9.”, “27.04.2026” and “11/09”, which otherwise read as decimal numbers. */
const dayInDigits = /(?<![\d.,/])\d{1,2}[./]\d{1,2}(?:\.(?!\d)|[./]\d{4})?(?!\d|[./]\d)/g;
/** “7.45 Uhr” and “5:30 pm”. */
const clockTime = /(?<![\d.,:])(\d{1,2})[.:](\d{2})\s?(uhr\b|[ap]\.?m\b)/gi;

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/** A date without a year may be in the year of filing, an adjacent year, or a year that a source mentions. */
function yearsOf(days: readonly string[], numbers: ReadonlySet<number>): number[] {
  const filed = days.map((day) => Number(day.slice(0, 4))).flatMap((year) => [year - 1, year, year + 1]);
  return [...new Set([...filed, ...[...numbers].filter((each) => each >= 1900 && each < 2100)])].filter(
    Number.isInteger,
  );
}

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\d]+/gu) ?? [];
}

/** Capitalized words that are not at the start of a sentence, heading, cell, field or quotation. */
function namesIn(line: string): string[] {
  const text = line.replace(/^\s*(?:[-+>#|]+\s*)+(?:\[.\]\s*)?/, '');
  const words = [...text.matchAll(/[\p{L}\p{M}][\p{L}\p{M}\d]*/gu)];
  const isHeading = /^\s*#/.test(line);
  if (isHeading && isTitleCase(words.map(([word]) => word))) return [];
  return words.flatMap((match) => {
    const [word] = match;
    const isName = /^\p{Lu}/u.test(word) && word.length > 1 && !beginsSentence(text.slice(0, match.index));
    return isName ? [word] : [];
  });
}

function beginsSentence(before: string): boolean {
  return /(?:^|[.!?:;…|«»"“”„[\]–—]|\s-|^\d{4}-\d\d-\d\d(?: \d\d?:\d\d)?,?)\s*$/u.test(before);
}

function isTitleCase(words: readonly string[]): boolean {
  return words.filter((word) => word.length > 3).every((word) => /^\p{Lu}/u.test(word));
}

function showDay({ year, month, day }: Day): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${year === undefined ? '' : `${year}-`}${two(month)}-${two(day)}`;
}
