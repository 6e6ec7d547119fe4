import { addDays } from '../contract/index.ts';

const english = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const french = [
  'janvier',
  'février',
  'mars',
  'avril',
  'mai',
  'juin',
  'juillet',
  'août',
  'septembre',
  'octobre',
  'novembre',
  'décembre',
];
const names = [...english, ...french, ...french.map((name) => name.charAt(0).toUpperCase() + name.slice(1))];

/** 2026-06-18, 2026-06, 18 June 2026, 1er juillet, May 2025 or September; not within a word or a name with hyphens. */
const datePattern = new RegExp(
  [
    String.raw`(?<!\d)(?<isoDay>20\d\d-\d\d-\d\d)(?!\d)`,
    String.raw`(?<![\d-])(?<isoMonth>20\d\d-\d\d)(?![\d-])`,
    String.raw`(?<![\p{L}\p{N}-])(?:(?<day>\d{1,2})(?<ordinal>er)? )?(?<month>${names.join('|')})(?: (?<year>20\d\d))?(?![\p{L}\p{N}-])`,
  ].join('|'),
  'gu',
);

/** Moves all dates in a text by a number of days, in English, French and ISO form. A date without a year is taken to be in `year`. */
export function shiftDates(text: string, days: number, year: number): string {
  return text.replace(datePattern, (...found: unknown[]) => {
    const whole = String(found[0]);
    const groups = found.at(-1) as Record<string, string | undefined>;
    if (groups['isoDay'] !== undefined) return shift(groups['isoDay'], days) ?? whole;
    if (groups['isoMonth'] !== undefined)
      return shift(`${groups['isoMonth']}-15`, days)?.slice(0, 7) ?? whole;
    const name = groups['month'] ?? '';
    const list = english.includes(name) ? english : french;
    const month = list.indexOf(list === english ? name : name.toLowerCase()) + 1;
    const own = `${groups['year'] ?? year}-${two(month)}-${two(Number(groups['day'] ?? 15))}`;
    const moved = shift(own, days);
    if (moved === null) return whole;
    const [movedYear = '', movedMonth = '', movedDay = ''] = moved.split('-');
    const first = list === french && Number(movedDay) === 1 ? '1er' : String(Number(movedDay));
    const to = list[Number(movedMonth) - 1] ?? name;
    const isUpper = list === french && name !== name.toLowerCase();
    return [
      groups['day'] === undefined ? '' : `${first} `,
      isUpper ? to.charAt(0).toUpperCase() + to.slice(1) : to,
      groups['year'] === undefined ? '' : ` ${movedYear}`,
    ].join('');
  });
}

/** Null if there is no such day. */
function shift(day: string, days: number): string | null {
  const instant = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(instant) ? null : addDays(day, days);
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
