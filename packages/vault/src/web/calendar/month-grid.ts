import { addDays } from '../../contract/index.ts';

/** The days of the weeks, Monday to Sunday, that contain a month, which is given by any of its days. */
export function monthGrid(day: string): string[] {
  const first = `${day.slice(0, 7)}-01`;
  const start = addDays(first, -weekday(first));
  const last = addDays(moveMonth(first, 1), -1);
  const days: string[] = [];
  for (let each = start; each <= last || days.length % 7 !== 0; each = addDays(each, 1)) days.push(each);
  return days;
}

/** The first day of another month, as many months away. */
export function moveMonth(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** 0 is Monday. */
function weekday(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}
