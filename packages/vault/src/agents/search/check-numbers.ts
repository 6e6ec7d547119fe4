import { findDates, findNumbers, fold } from '../../review/index.ts';

export type NumberSources = {
  /** All texts that support the answer: the question, the cited lines and the headings above them. */
  texts: readonly string[];
  /** The text of each cited block. */
  lines: readonly string[];
  /** Midnight of the day of the question. */
  today: Date;
};

/**
 * Whether a number that no source contains follows from them: a time span between two dates, a rounded number, a total or a
 * difference of amounts, or a count that the cited lines do not exclude. `written` is the number as it occurs in `line`.
 */
export type IsDerived = (line: string, written: string) => boolean;

export function createNumberChecker({ texts, lines, today }: NumberSources): IsDerived {
  const all = texts.join('\n');
  const digits = all.replaceAll(/\D/g, '');
  const values = findNumbers(all).flatMap(({ meanings }) => meanings);
  const spans = collectSpans(all, values, today);
  const amounts = lines.flatMap((text) => text.split('\n')).flatMap(parseAmounts);
  const lineCount = lines.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '').length;

  const isDerivedValue = (value: number, unit: string, next: string): boolean =>
    values.some((each) => isRounded(each, value)) ||
    [unit, next].some((word) => isSpan(value, word, spans)) ||
    (unit === 'pm' && values.includes(value + 12)) ||
    isTotal(value, unit, amounts) ||
    (values.length <= maxFactors && isProductOrPercentage(value, unit, values)) ||
    (!measures.has(unit) && Number.isInteger(value) && value <= lineCount);
  return (line, written) => {
    const plain = written.replaceAll(/\D/g, '');
    if (plain.length >= 5 && digits.includes(plain)) return true;
    const occurrences = locateNumbers(line).filter((number) => number.written === written);
    return occurrences.every(({ meanings, unit, next }) =>
      meanings.some((value) => isDerivedValue(value, unit, next)),
    );
  };
}

const timeUnits: Readonly<Record<keyof Span, RegExp>> = {
  days: /^(?:day|night|jour|nuit|tage?n?$|nacht|nachte)/,
  weeks: /^(?:week|semaine|woche)/,
  months: /^(?:month|mois|monat)/,
  years: /^(?:year|ans?$|annee|jahr)/,
};
const currencies: Readonly<Record<string, string>> = {
  eur: '€',
  euro: '€',
  euros: '€',
  usd: '$',
  dollar: '$',
  dollars: '$',
  gbp: '£',
  chf: 'chf',
};
const measures = new Set(
  '€ $ £ % chf kg g mg t km m cm mm l cl ml h min kwh w kw mb gb tb ° percent pourcent prozent'.split(' '),
);

type LocatedNumber = { written: string; meanings: number[]; unit: string; next: string };

/** The numbers of a line with their unit, which is a sign or the next word; `next` is the word after that. */
function locateNumbers(line: string): LocatedNumber[] {
  let from = 0;
  return findNumbers(line).map(({ written, meanings }) => {
    const at = line.indexOf(written, from);
    from = at + written.length;
    const [sign] = /[€$£]\s?$/.exec(line.slice(0, at)) ?? [];
    const [, word = '', next = ''] =
      /^[\s*_-]*([€$£%°]|\p{L}+)?(?:[\s-]+(\p{L}+))?/u.exec(line.slice(from)) ?? [];
    const unit = fold(sign ?? word);
    return { written, meanings, unit: currencies[unit] ?? unit, next: fold(next) };
  });
}

/** With more numbers, almost every value is the product or percentage of some of them. */
const maxFactors = 12;

function isProductOrPercentage(value: number, unit: string, values: readonly number[]): boolean {
  return values.some((one) =>
    values.some(
      (other) => one * other === value || (unit === '%' && Math.round((100 * one) / other) === value),
    ),
  );
}

/** The column is 0 outside of tables. */
type Amount = { value: number; unit: string; column: number };

function parseAmounts(line: string): Amount[] {
  const cells = /^\s*\|/.test(line) ? line.split('|') : [line];
  return cells.flatMap((cell, column) =>
    locateNumbers(cell).map(({ meanings, unit }) => ({ value: meanings[0] ?? 0, unit, column })),
  );
}

const maxAmounts = 200;

/**
 * Whether a value is the sum of consecutive amounts with the same unit or in the same column, the difference of two, or the
 * rest after several.
 */
function isTotal(value: number, unit: string, amounts: readonly Amount[]): boolean {
  if (!measures.has(unit) && amounts.every(({ column }) => column === 0)) return false;
  const columns = Map.groupBy(
    amounts.filter(({ column }) => column > 0),
    ({ column }) => column,
  );
  const series = [amounts.filter((each) => each.unit === unit), ...columns.values()];
  return series.some((each) => isSumOrDifference(value, each.slice(0, maxAmounts).map(toValue)));
}

function toValue({ value }: Amount): number {
  return value;
}

function isSumOrDifference(value: number, amounts: readonly number[]): boolean {
  const isValue = (result: number): boolean => Math.abs(Math.abs(result) - value) < 0.005;
  return amounts.some((first, index) => {
    let sum = first;
    return amounts.slice(index + 1).some((other) => {
      sum += other;
      return [sum, first + other, first - other, first - (sum - first)].some(isValue);
    });
  });
}

/** Whether `value` is `exact` with fewer digits, at most 5 % away from it. */
function isRounded(exact: number, value: number): boolean {
  if (exact === 0 || Math.abs(exact - value) > 0.05 * Math.abs(exact)) return false;
  return [1, 10, 100, 1_000, 10_000, 100_000].some((step) => Math.round(exact / step) * step === value);
}

const dayMs = 86_400_000;
const maxDates = 60;

/** The numbers that may express the time between two days. */
type Span = Record<'days' | 'weeks' | 'months' | 'years', number[]>;

function isSpan(value: number, word: string, spans: readonly Span[]): boolean {
  const units = (Object.keys(timeUnits) as (keyof Span)[]).filter((unit) => timeUnits[unit].test(word));
  return units.some((unit) => spans.some((span) => span[unit].includes(value)));
}

/** The spans between two dates of the text, and between each date and today. */
function collectSpans(text: string, values: readonly number[], today: Date): Span[] {
  const years = values.filter((value) => Number.isInteger(value) && value >= 1900 && value < 2100);
  const dates = findDates(text, 'possible').slice(0, maxDates);
  const known = [
    today,
    ...dates.flatMap(({ year, month, day }) => (year === undefined ? [] : [new Date(year, month - 1, day)])),
    ...years.slice(0, maxDates).map((year) => new Date(year, today.getMonth(), today.getDate())),
  ];
  const nearest = dates
    .filter(({ year }) => year === undefined)
    .flatMap(({ month, day }) => [-1, 0, 1].map((by) => new Date(today.getFullYear() + by, month - 1, day)));
  return [
    ...known.flatMap((from, index) => known.slice(index + 1).map((to) => spanBetween(from, to))),
    ...nearest.map((date) => spanBetween(date, today)),
  ];
}

function spanBetween(one: Date, other: Date): Span {
  const [from, to] = one < other ? [one, other] : [other, one];
  const days = Math.round((to.getTime() - from.getTime()) / dayMs);
  const isBeforeDay = to.getDate() < from.getDate();
  const months =
    (to.getFullYear() - from.getFullYear()) * 12 + to.getMonth() - from.getMonth() - Number(isBeforeDay);
  const rounded = (value: number): number[] => [Math.floor(value), Math.ceil(value)];
  return {
    days: [days, days + 1],
    weeks: rounded(days / 7),
    months: [months, months + 1],
    years: rounded(months / 12),
  };
}
