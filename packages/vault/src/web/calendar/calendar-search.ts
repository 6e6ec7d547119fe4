import { isDay } from '../../contract/index.ts';

/** Parses the search parameters of the calendar: the selected day. An invalid one is dropped. */
export function parseCalendarSearch({ day }: Record<string, unknown>): { day?: string } {
  return typeof day === 'string' && /^[12]/.test(day) && isDay(day) ? { day } : {};
}
