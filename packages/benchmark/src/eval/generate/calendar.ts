const dayLength = 86_400_000;

/** A day as `2026-03-06`; all of this counts in days, so that no time zone matters. */
export type Day = string;

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayLength).toISOString().slice(0, 10);
}

/** From 0, a Monday, to 6. */
function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, date };
}

/** The ways to name a day from another one that leave no doubt. */
export type Distance =
  | { kind: 'tomorrow' }
  | { kind: 'day-after-tomorrow' }
  | { kind: 'in-days'; days: number }
  | { kind: 'next-week'; weekday: number };

/** Those that apply; none for a day too far away to be named like that. */
export function distancesTo(day: Day, from: Day): Distance[] {
  const days = (Date.parse(day) - Date.parse(from)) / dayLength;
  const monday = (days - weekdayOf(day) + weekdayOf(from)) / 7;
  return [
    ...(days === 1 ? [{ kind: 'tomorrow' } as const] : []),
    ...(days === 2 ? [{ kind: 'day-after-tomorrow' } as const] : []),
    ...(days >= 3 && days <= 12 ? [{ kind: 'in-days', days } as const] : []),
    ...(monday === 1 ? [{ kind: 'next-week', weekday: weekdayOf(day) } as const] : []),
  ];
}
