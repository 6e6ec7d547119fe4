/** How a task or appointment repeats. Days are counted from the day on which it is due or takes place. */
export type Recurrence = {
  unit: 'day' | 'week' | 'month' | 'year';
  /** The number of units between two repetitions. */
  interval: number;
  /** Of a week, 0 for Sunday; empty for the weekday on which it was last. */
  weekdays: number[];
  /** Of a month, 1 to 31, or -1 for its last day; a month without the day is skipped. Empty if nothing is said. */
  monthDays: number[];
  /** Of a month, for example its second Tuesday; -1 for the last one. */
  monthWeekdays: { nth: number; weekday: number }[];
  /** Whether the next day counts from the day on which the task is done. */
  isFromDone: boolean;
  /** The last day on which it may take place. */
  until: string | null;
  /** Days on which it does not take place. */
  except: ReadonlySet<string>;
};

const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const weekdayCodes = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const workdays = [1, 2, 3, 4, 5];
const maxInterval = 1000;
const maxExceptions = 200;

const ordinals = new Map(
  ['first', 'second', 'third', 'fourth', 'fifth'].map((word, index) => [word, index + 1] as const),
);
const day = String.raw`\d{4}-\d\d-\d\d`;
/** What may follow the rule itself. */
const endings = new RegExp(
  String.raw`(?: until (?<until>${day}))?(?: except (?<except>${day}(?:, ?${day})*))?(?<done> when done)?(?: ?!)?$`,
  'i',
);
const ruleParts =
  /^every (?:(?<count>\d{1,4}|other) )?(?<what>[a-z][a-z, ]*?)(?: on (?<on>[a-z0-9][a-z0-9, ]*))?$/i;

/**
 * Parses a repetition as Obsidian Tasks writes it (`every 2 weeks on Monday`, `every month on the 15th when done`), with an
 * optional end and exceptions. Null if it is not understood completely.
 */
export function parseRecurrence(text: string): Recurrence | null {
  const plain = text.replaceAll(/\s+/g, ' ').trim();
  const ending = endings.exec(plain);
  const groups = ruleParts.exec(plain.slice(0, ending?.index))?.groups;
  if (ending === null || groups === undefined) return null;
  const { count = '1', what = '', on } = groups;
  const { until = null, except, done } = ending.groups ?? {};
  const interval = /other/i.test(count) ? 2 : Number(count);
  const exceptions = except?.split(/, ?/) ?? [];
  if (interval < 1 || interval > maxInterval || exceptions.length > maxExceptions) return null;
  const base: Recurrence = {
    unit: 'week',
    interval,
    weekdays: [],
    monthDays: [],
    monthWeekdays: [],
    isFromDone: done !== undefined,
    until,
    except: new Set(exceptions),
  };
  const named = /^weekdays?$/i.test(what) ? workdays : parseWeekdays(what);
  if (named !== null) return on === undefined ? { ...base, weekdays: named } : null;
  const unit = /^(day|week|month|year)s?$/i.exec(what)?.[1]?.toLowerCase() as Recurrence['unit'] | undefined;
  if (unit === undefined) return null;
  if (on === undefined) return { ...base, unit };
  if (unit === 'week') {
    const weekdays = parseWeekdays(on);
    return weekdays && { ...base, weekdays };
  }
  const days = unit === 'month' ? parseMonthDays(on) : null;
  return days && { ...base, unit, ...days };
}

function splitList(text: string): string[] {
  return text
    .trim()
    .toLowerCase()
    .split(/(?: *, *| +and +| +)(?:and +)?/)
    .filter((part) => part !== '');
}

function parseWeekday(word: string): number {
  return word.length < 3 ? -1 : weekdayNames.findIndex((name) => `${name}s`.startsWith(word));
}

function parseWeekdays(text: string): number[] | null {
  const found = splitList(text).map(parseWeekday);
  return found.length === 0 || found.includes(-1) ? null : [...new Set(found)].toSorted((a, b) => a - b);
}

/** Parses `the 1st and 15th`, `the last` or `the 2nd Tuesday`. */
function parseMonthDays(text: string): Pick<Recurrence, 'monthDays' | 'monthWeekdays'> | null {
  const words = splitList(text.replaceAll(/\bthe\b/gi, ' '));
  const days: Pick<Recurrence, 'monthDays' | 'monthWeekdays'> = { monthDays: [], monthWeekdays: [] };
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const number =
      word === 'last'
        ? -1
        : (ordinals.get(word) ?? Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? 0));
    const weekday = parseWeekday(words[index + 1] ?? '');
    if (number === 0 || number > (weekday === -1 ? 31 : 5)) return null;
    if (weekday === -1) days.monthDays.push(number);
    else {
      days.monthWeekdays.push({ nth: number, weekday });
      index += 1;
    }
  }
  return words.length === 0 ? null : days;
}

const msPerDay = 86_400_000;

/** The parts of a day that decide whether it matches. */
type DayParts = {
  number: number;
  year: number;
  month: number;
  date: number;
  weekday: number;
  monthLength: number;
};

function partsOf(number: number): DayParts {
  const at = new Date(number * msPerDay);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const monthLength = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { number, year, month, date: at.getUTCDate(), weekday: at.getUTCDay(), monthLength };
}

function numberOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / msPerDay;
}

function textOf(number: number): string {
  return new Date(number * msPerDay).toISOString().slice(0, 10);
}

/** Whether a repetition that starts on a day takes place on another one. It does on the first day, even if the rule leaves that day out. */
export function occursOn(recurrence: Recurrence, start: string, on: string): boolean {
  const [first, wanted] = [numberOf(start), numberOf(on)];
  return isOccurrence(recurrence, partsOf(first), partsOf(wanted));
}

function isOccurrence(recurrence: Recurrence, start: DayParts, wanted: DayParts): boolean {
  if (wanted.number < start.number) return false;
  if (wanted.number !== start.number && !matches(recurrence, start, wanted)) return false;
  const { except, until } = recurrence;
  if (except.size === 0 && until === null) return true;
  const text = textOf(wanted.number);
  return !except.has(text) && (until === null || text <= until);
}

function matches(recurrence: Recurrence, start: DayParts, wanted: DayParts): boolean {
  const { unit, interval, weekdays, monthDays, monthWeekdays } = recurrence;
  const months = (wanted.year - start.year) * 12 + wanted.month - start.month;
  // The last day of a month stands for a later one that the month does not have.
  const isSameDate = wanted.date === Math.min(start.date, wanted.monthLength);
  switch (unit) {
    case 'day':
      return (wanted.number - start.number) % interval === 0;
    case 'week': {
      const isDay =
        weekdays.length === 0 ? wanted.weekday === start.weekday : weekdays.includes(wanted.weekday);
      return isDay && (mondayOf(wanted) - mondayOf(start)) % (7 * interval) === 0;
    }
    case 'month': {
      if (months % interval !== 0) return false;
      if (monthDays.length === 0 && monthWeekdays.length === 0) return isSameDate;
      const { date, weekday, monthLength } = wanted;
      const isNth = (nth: number): boolean =>
        nth === -1 ? date > monthLength - 7 : Math.ceil(date / 7) === nth;
      return (
        monthDays.includes(date) ||
        (monthDays.includes(-1) && date === monthLength) ||
        monthWeekdays.some((each) => each.weekday === weekday && isNth(each.nth))
      );
    }
    case 'year':
      return months % (12 * interval) === 0 && isSameDate;
  }
}

function mondayOf({ number, weekday }: DayParts): number {
  return number - ((weekday + 6) % 7);
}

/** So many days, weeks, months or years that can have one are searched: a fifth Monday may be some of them away. */
const searchedPeriods = 12;

/** The first day from `from` on which it takes place; null if there is none. */
export function findOccurrence(recurrence: Recurrence, start: string, from: string): string | null {
  const [first, earliest] = [partsOf(numberOf(start)), numberOf(from)];
  for (const each of listCandidates(recurrence, first, partsOf(Math.max(first.number, earliest))))
    if (each.number >= earliest && isOccurrence(recurrence, first, each)) return textOf(each.number);
  return null;
}

/** The days of the periods that can have an occurrence, from the one that contains `from`. */
function* listCandidates(
  { unit, interval, except }: Recurrence,
  start: DayParts,
  from: DayParts,
): Generator<DayParts, void, undefined> {
  const periods = searchedPeriods + except.size;
  if (unit === 'day' || unit === 'week') {
    const [length, origin] = unit === 'day' ? [1, start.number] : [7, mondayOf(start)];
    const first = Math.floor((from.number - origin) / (length * interval));
    for (let period = first; period < first + periods; period += 1)
      for (let index = 0; index < length; index += 1)
        yield partsOf(origin + period * length * interval + index);
    return;
  }
  const step = unit === 'month' ? interval : 12 * interval;
  const first = Math.floor(((from.year - start.year) * 12 + from.month - start.month) / step);
  for (let period = first; period < first + periods; period += 1) {
    const month = partsOf(Date.UTC(start.year, start.month + period * step) / msPerDay);
    // Without a Date for each day: a hostile note can have thousands of rules without any day.
    for (let index = 0; index < month.monthLength; index += 1)
      yield {
        ...month,
        number: month.number + index,
        date: 1 + index,
        weekday: (month.weekday + index) % 7,
      };
  }
}

/**
 * The day of the next task after one that was due on `due` (null if it had no date) and was done on `done`. It is always
 * later; null if the repetition ended.
 */
export function nextTaskDay(recurrence: Recurrence, due: string | null, done: string): string | null {
  const start = recurrence.isFromDone || due === null ? done : due;
  return findOccurrence(recurrence, start, textOf(numberOf(start) + 1));
}

/**
 * The recurrence of an event in iCalendar, without end and exceptions. `start` is the day from which it counts. `days` are
 * those of the next ten years that no rule states without BYSETPOS, which calendar programs misread: the end of February for
 * the 29th or 30th of each month.
 */
export function formatRecurrenceRule(
  recurrence: Recurrence,
  start: string,
): { rule: string; days: string[] } {
  const { unit, interval, weekdays, monthDays, monthWeekdays } = recurrence;
  const { date, month, year } = partsOf(numberOf(start));
  const isSameDate = unit === 'month' && monthDays.length + monthWeekdays.length === 0;
  const isLeapDay = unit === 'year' && month === 1 && date === 29;
  const datesOfMonth = isLeapDay || (isSameDate && date === 31) ? [-1] : isSameDate ? [date] : monthDays;
  const codes = [
    ...weekdays.map((each) => weekdayCodes[each]),
    ...monthWeekdays.map(({ nth, weekday }) => `${nth}${weekdayCodes[weekday]}`),
  ];
  const parts = [
    `FREQ=${{ day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' }[unit]}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...(isLeapDay ? ['BYMONTH=2'] : []),
    ...(codes.length > 0 ? [`BYDAY=${codes.join(',')}`] : []),
    ...(datesOfMonth.length > 0 ? [`BYMONTHDAY=${datesOfMonth.join(',')}`] : []),
  ];
  const years = isSameDate && (date === 29 || date === 30) ? [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] : [];
  const days = years
    .map((count) => new Date(Date.UTC(year + count, 2, 0)).toISOString().slice(0, 10))
    .filter((each) => Number(each.slice(8)) < date && occursOn(recurrence, start, each));
  return { rule: parts.join(';'), days };
}
