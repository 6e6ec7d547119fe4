import { daysIn, monthsIn, namesOfDay } from './calendar.ts';
import type { Day } from './calendar.ts';
import { numbersIn, numbersInWords } from './numbers.ts';
import { fold } from './wanted.ts';

export type Sources = {
  /** All that was there or came in, and what may be written besides. */
  texts: readonly string[];
  /** The days on which it was filed, as `2026-03-02`. */
  days: readonly string[];
};

/** The names, numbers and dates of a line that nothing supports, as they stand there. */
export type Check = (line: string) => string[];

/**
 * Whether what a line names was said by anybody. Names are capitalised words within a sentence; in German every noun is
 * one, so there only numbers and dates are looked at. It is a lower bound: what is invented in other words goes unseen.
 */
export function supportChecker({ texts, days }: Sources, language: 'fr' | 'en' | 'de'): Check {
  const all = [...texts, ...days].join('\n');
  const known = daysIn(all, 'possible');
  const numbers = new Set([
    0,
    ...numbersIn(all).flatMap(({ meanings }) => meanings),
    ...numbersInWords(all),
    ...monthsIn(all),
    ...known.flatMap(({ year, month, day }) => [year ?? month, month, day]),
  ]);
  const years = yearsOf(days, numbers);
  const dated = known.flatMap((day) =>
    day.year === undefined ? years.map((year) => ({ ...day, year })) : [day],
  );
  const words = new Set([...wordsIn(all), ...dated.flatMap(namesOfDay), 'keepsake', 'ok'].map(stem));

  const isKnownDay = ({ year, month, day }: Day): boolean =>
    dated.some(
      (each) => each.month === month && each.day === day && (year === undefined || each.year === year),
    );
  return (line) => {
    const bare = line.replace(/^\s*\d+[.)]\s/, '').replaceAll(/[*_`]/g, '');
    const strangeDays = daysIn(bare, 'certain').filter((day) => !isKnownDay(day));
    const undated = bare.replaceAll(/\d{4}-\d{2}-\d{2}/g, ' ');
    const strangeNumbers = numbersIn(undated).filter(
      ({ meanings }) => !meanings.some((each) => numbers.has(each)),
    );
    const strangeNames =
      language === 'de' ? [] : namesIn(bare).filter((name) => !words.has(stem(fold(name))));
    return [...strangeDays.map(showDay), ...strangeNumbers.map(({ written }) => written), ...strangeNames];
  };
}

/** A day without a year may be in the year it was filed, or one beside it, or one that somebody named. */
function yearsOf(days: readonly string[], numbers: ReadonlySet<number>): number[] {
  const filed = days.map((day) => Number(day.slice(0, 4))).flatMap((year) => [year - 1, year, year + 1]);
  return [...new Set([...filed, ...[...numbers].filter((each) => each >= 1900 && each < 2100)])].filter(
    Number.isInteger,
  );
}

function wordsIn(text: string): string[] {
  return fold(text).match(/[\p{L}\d]+/gu) ?? [];
}

/** Near enough for plurals and the English genitive. */
function stem(word: string): string {
  return word.length > 3 ? word.replace(/s$/, '') : word;
}

/** Capitalised words that do not begin a sentence, a heading, a cell, a field or a quotation. */
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
  return /(?:^|[.!?:;…|«»"“”„[\]–—]|\s-)\s*$/u.test(before);
}

function isTitleCase(words: readonly string[]): boolean {
  return words.filter((word) => word.length > 3).every((word) => /^\p{Lu}/u.test(word));
}

function showDay({ year, month, day }: Day): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${year === undefined ? '' : `${year}-`}${two(month)}-${two(day)}`;
}
