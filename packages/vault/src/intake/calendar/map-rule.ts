import type ICAL from 'ical.js';

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monday = 2;
const maxInterval = 1000;

/** Says a rule in the words of a task (`every 2 weeks on Monday`), without its end. Null if they cannot say it. */
export function mapRule(rule: ICAL.Recur, startDay: string): string | null {
  const { freq, interval } = rule;
  const parts = rule.parts as Partial<Record<string, (string | number)[]>>;
  const keys = Object.keys(parts).toSorted().join(' ');
  const [, month = 0, date = 0] = startDay.split('-').map(Number);
  if (!Number.isInteger(interval) || interval < 1 || interval > maxInterval) return null;
  const every = (unit: string): string => (interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`);
  switch (freq) {
    case 'DAILY': {
      if (keys === '') return every('day');
      const names = keys === 'BYDAY' && interval === 1 ? nameWeekdays(parts['BYDAY']) : null;
      return names && `every week on ${names}`;
    }
    case 'WEEKLY': {
      if (keys === '') return every('week');
      const names =
        keys === 'BYDAY' && (interval === 1 || rule.wkst === monday) ? nameWeekdays(parts['BYDAY']) : null;
      return names && `${every('week')} on ${names}`;
    }
    case 'MONTHLY': {
      if (keys === '') return date > 28 ? `${every('month')} on the ${ordinal(date)}` : every('month');
      const days = nameMonthDays(keys, parts);
      return days && `${every('month')} on the ${days}`;
    }
    case 'YEARLY': {
      const isPlain = ['', 'BYMONTH', 'BYMONTH BYMONTHDAY'].includes(keys);
      const isSameDay =
        Number(parts['BYMONTH']?.join(',') ?? month) === month &&
        Number(parts['BYMONTHDAY']?.join(',') ?? date) === date;
      return isPlain && isSameDay && !(month === 2 && date === 29) ? every('year') : null;
    }
    default:
      return null;
  }
}

function nameWeekdays(codes: (string | number)[] = []): string | null {
  const names = codes.map((code) => weekdayNames[weekdays.indexOf(String(code))]);
  return names.includes(undefined) ? null : names.join(', ');
}

function nameMonthDays(keys: string, parts: Partial<Record<string, (string | number)[]>>): string | null {
  const { BYDAY: days = [], BYMONTHDAY: dates = [], BYSETPOS: positions = [] } = parts;
  if (keys === 'BYMONTHDAY') {
    const numbers = dates.map(Number);
    return numbers.every((each) => each === -1 || (each >= 1 && each <= 31))
      ? numbers.map(ordinal).join(', ')
      : null;
  }
  const isPosition = keys === 'BYDAY BYSETPOS' && days.length === 1 && positions.length === 1;
  if (!isPosition && keys !== 'BYDAY') return null;
  const named = days.map((code) => {
    const [, nth = '', weekday = ''] =
      /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(
        isPosition ? `${String(positions[0])}${String(code)}` : String(code),
      ) ?? [];
    const [number, name] = [Number(nth || 0), weekdayNames[weekdays.indexOf(weekday)]];
    return name !== undefined && (number === -1 || (number >= 1 && number <= 5))
      ? `${ordinal(number)} ${name}`
      : null;
  });
  return named.includes(null) ? null : named.join(', ');
}

function ordinal(number: number): string {
  if (number === -1) return 'last';
  const ending = number > 10 && number < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}
