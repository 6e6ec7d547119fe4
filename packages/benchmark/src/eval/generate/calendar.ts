const dayMs = 86_400_000;

/** A day as `2026-03-06`. All calculations use whole days, so time zones do not matter. */
export type Day = string;

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** 0 for Monday to 6 for Sunday. */
function weekdayOf(day: Day): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

export function partsOf(day: Day): { year: number; month: number; date: number } {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return { year, month, date };
}

/** The unambiguous ways to name a day relative to another one. */
export type RelativeDate =
  | { kind: 'tomorrow' }
  | { kind: 'day-after-tomorrow' }
  | { kind: 'in-days'; days: number }
  | { kind: 'next-week'; weekday: number };

/** Returns the ways to name `day` relative to `from`; none if it is too far away. */
export function distancesTo(day: Day, from: Day): RelativeDate[] {
  const days = (Date.parse(day) - Date.parse(from)) / dayMs;
  const monday = (days - weekdayOf(day) + weekdayOf(from)) / 7;
  return [
    ...(days === 1 ? [{ kind: 'tomorrow' } as const] : []),
    ...(days === 2 ? [{ kind: 'day-after-tomorrow' } as const] : []),
    ...(days >= 3 && days <= 12 ? [{ kind: 'in-days', days } as const] : []),
    ...(monday === 1 ? [{ kind: 'next-week', weekday: weekdayOf(day) } as const] : []),
  ];
}
