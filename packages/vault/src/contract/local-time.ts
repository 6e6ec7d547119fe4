declare const brand: unique symbol;

/** Local time to the second, `2025-07-14T18:30:00`. Two of them compare as text. */
export type LocalTime = string & { readonly [brand]: 'LocalTime' };

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** Reads what people and other tools put into `created` and `updated`; null when it is no time. */
export function parseLocalTime(text: string): LocalTime | null {
  const match = written.exec(text.trim());
  if (match === null) return null;
  const [, day, minute = '00:00', second = ':00', zone = ''] = match;
  const time = `${day}T${minute}${second}`;
  const instant = Date.parse(`${time}${zone || 'Z'}`);
  // The parser takes the 31st of February for the 3rd of March.
  const isRealDay =
    !Number.isNaN(instant) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day ?? '');
  if (!isRealDay) return null;
  return zone === '' ? (time as LocalTime) : localTime(instant);
}

export function localTime(instant: number): LocalTime {
  const date = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}` as LocalTime;
}
