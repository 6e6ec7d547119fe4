import type { TimeZone } from '../../contract/index.ts';

const msPerDay = 86_400_000;
/** A feed is fetched again long before. */
const years = 10;

/**
 * Defines a time zone (VTIMEZONE of RFC 5545) from a year before a day, by the instants at which its offset changes until ten
 * years from now.
 */
export function formatTimeZone(zone: TimeZone, from: string, now: number): string[] {
  const [start, end] = [Date.parse(`${from}T00:00:00Z`) - 366 * msPerDay, now + years * 366 * msPerDay];
  const first = offsetAt(zone, start);
  const parts = new Map<string, string[]>();
  const add = (before: number, after: number, instant: number): void => {
    const key = `${after > before ? 'DAYLIGHT' : 'STANDARD'} ${formatOffset(before)} ${formatOffset(after)}`;
    const onset = new Date(instant + before).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
    parts.set(key, [...(parts.get(key) ?? []), onset]);
  };
  add(first, first, start);
  for (let [at, offset] = [start, first]; at < end; at += msPerDay) {
    const next = offsetAt(zone, at + msPerDay);
    if (next !== offset) add(offset, next, findChange(zone, at, at + msPerDay));
    offset = next;
  }
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone.name}`,
    ...[...parts].flatMap(([key, [onset = '', ...others]]) => {
      const [kind = '', before = '', after = ''] = key.split(' ');
      return [
        `BEGIN:${kind}`,
        `DTSTART:${onset}`,
        // Some programs read only the first date of a list.
        ...others.map((other) => `RDATE:${other}`),
        `TZOFFSETFROM:${before}`,
        `TZOFFSETTO:${after}`,
        `END:${kind}`,
      ];
    }),
    'END:VTIMEZONE',
  ];
}

function offsetAt(zone: TimeZone, instant: number): number {
  return Date.parse(`${zone.localTimeOf(instant)}Z`) - instant;
}

/** The second at which the offset changes between two instants. */
function findChange(zone: TimeZone, from: number, to: number): number {
  const before = offsetAt(zone, from);
  let [low, high] = [from / 1_000, to / 1_000];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(zone, middle * 1_000) === before) low = middle;
    else high = middle;
  }
  return high * 1_000;
}

function formatOffset(offset: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const seconds = Math.abs(offset) / 1_000;
  const rest = seconds % 60;
  return `${offset < 0 ? '-' : '+'}${two(seconds / 3_600)}${two((seconds / 60) % 60)}${rest === 0 ? '' : two(rest)}`;
}
