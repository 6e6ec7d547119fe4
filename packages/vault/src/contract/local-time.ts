import { isDay } from './calendar-day.ts';

declare const brand: unique symbol;

/** Local time to the second, e.g. `2025-07-14T18:30:00`. Sorts as text. */
export type LocalTime = string & { readonly [brand]: 'LocalTime' };

const localTimePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Parses the time formats that users and other tools write to `created` and `updated`; null if the text is not a time.
 */
export function parseLocalTime(text: string): LocalTime | null {
  const match = localTimePattern.exec(text.trim());
  if (match === null) return null;
  const [, day, minute = '00:00', second = ':00', zone = ''] = match;
  const time = `${day}T${minute}${second}`;
  const instant = Date.parse(`${time}${zone || 'Z'}`);
  if (Number.isNaN(instant) || !isDay(day ?? '')) return null;
  return zone === '' ? (time as LocalTime) : formatLocalTime(instant);
}

export function formatLocalTime(instant: number): LocalTime {
  const date = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` as LocalTime;
}
