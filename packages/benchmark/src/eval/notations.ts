import { findMonths, findNumberWords, findWholeNumberWords } from '../../../vault/src/review/index.ts';

const isoDay = /(?<!\d)(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?!\d)/gu;
const dayBeforeName =
  /(?<![\d.,])(?<day>\d{1,2})(?:er|st|nd|rd|th|\.)? ?(?:of |de )?(?<name>\p{L}{3,10})\b\.?(?:,? (?<year>\d{4}))?/gu;
const dayAfterName =
  /(?<!\p{L})(?<name>\p{L}{3,10})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?:,? (?<year>\d{4}))?/gu;
const dayInDigits = /(?<![\d.,/])(?<day>\d{1,2})[./](?<month>\d{1,2})(?:[./](?<year>\d{4}))?(?!\d)/gu;
const clockTime =
  /(?<![\d.,])(?<hour>\d{1,2})(?:[:.](?<minute>\d{2})| ?h ?(?<after>\d{2})?)? ?(?<half>[ap]\.?m\b\.?|Uhr)?/giu;
const signBefore = /(?<sign>[€£$]) ?(?<amount>\d+(?:[.,\u00a0\u202f ]\d+)*)/gu;
const separator = /(?<=\d)[.,'’\u00a0\u202f ](?=\d{3}(?!\d))/gu;

const locales = { en: 'en-GB', fr: 'fr', de: 'de' } as const;

export type Language = keyof typeof locales;
/** Null if a date is left as it is written. */
type WriteDay = (year: number, month: number, day: number) => string | null;

/**
 * A text as it is, and with its dates, times, amounts and numbers in other notations, so that the same fact is recognized:
 * `le 11/09` is also `2025-09-11`, `5.30 pm` is `17:30`, `€62` is `62 €`, and `two` is `2`. A date without a year is the one
 * nearest to `today`; if that is unknown, it stays as it is.
 */
export function inOtherNotations(text: string, language: Language, today: string | undefined): string[] {
  const long = new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'long' });
  const writers: WriteDay[] = [
    (year, month, day) => [String(year), twoDigits(month), twoDigits(day)].join('-'),
    (year, month, day) =>
      year === nearestYear(month, day, today) ? long.format(new Date(year, month - 1, day)) : null,
  ];
  return [text, ...writers.map((write) => rewriteNumbers(rewriteDates(text, today, write)))];
}

function rewriteDates(text: string, today: string | undefined, write: WriteDay): string {
  return [isoDay, dayBeforeName, dayAfterName, dayInDigits].reduce(
    (rewritten, form) =>
      rewritten.replace(form, (written: string, ...rest: unknown[]) => {
        const groups = rest.at(-1) as Partial<Record<'year' | 'month' | 'day' | 'name', string>>;
        const month = groups.name === undefined ? Number(groups.month) : (findMonths(groups.name)[0] ?? 0);
        const day = Number(groups.day);
        if (month < 1 || month > 12 || day < 1 || day > 31) return written;
        const year = groups.year === undefined ? nearestYear(month, day, today) : Number(groups.year);
        return (year === null ? null : write(year, month, day)) ?? written;
      }),
    text,
  );
}

function nearestYear(month: number, day: number, today: string | undefined): number | null {
  if (today === undefined) return null;
  const now = new Date(today);
  const distance = (year: number): number => Math.abs(Date.UTC(year, month - 1, day) - now.getTime());
  const year = now.getUTCFullYear();
  return [year - 1, year, year + 1].toSorted((a, b) => distance(a) - distance(b))[0] ?? year;
}

function rewriteNumbers(text: string): string {
  return text
    .replace(clockTime, (written: string, ...rest: unknown[]) => {
      const { hour, minute, after, half } = rest.at(-1) as Record<string, string | undefined>;
      const minutes = minute ?? after;
      const isTime = half !== undefined || after !== undefined || /\d:\d/.test(written);
      if (!isTime || Number(hour) > 24 || Number(minutes ?? 0) > 59) return written;
      const isAfternoon = /^p/i.test(half ?? '') && Number(hour) < 12;
      return `${twoDigits(Number(hour) + (isAfternoon ? 12 : 0))}:${minutes ?? '00'}`;
    })
    .replace(signBefore, '$<amount> $<sign>')
    .replaceAll(/(?<=\d) ?(?:euros?|EUR)(?!\p{L})/giu, ' €')
    .replace(separator, '')
    .replaceAll(/\p{L}+(?:-\p{L}+)*/gu, (word) => {
      const isNumber = word.split('-').every((part) => findNumberWords(part).length > 0);
      const [value = 0] = isNumber ? findWholeNumberWords(word) : [];
      // “one” and “un” are mostly articles.
      return value > 1 ? String(value) : word;
    });
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
