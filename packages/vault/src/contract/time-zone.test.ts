import { describe, expect, it } from 'vitest';
import { formatLocalTime, parseLocalTime } from './local-time.ts';
import { createTimeZone, isTimeZone } from './time-zone.ts';

const instant = (time: string, zone?: string): string => {
  const parsed = parseLocalTime(time) ?? expect.unreachable(time);
  return new Date(createTimeZone(zone).instantOf(parsed)).toISOString();
};

describe('time zone', () => {
  it.each([
    ['2026-11-17T16:07:00', 'UTC', '2026-11-17T16:07:00.000Z'],
    ['2026-11-17T17:07:00', 'Europe/Paris', '2026-11-17T16:07:00.000Z'],
    ['2026-07-17T18:07:00', 'Europe/Paris', '2026-07-17T16:07:00.000Z'],
    // Just before and after daylight saving time begins.
    ['2026-03-29T01:59:59', 'Europe/Paris', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T03:00:00', 'Europe/Paris', '2026-03-29T01:00:00.000Z'],
    ['2026-11-17T00:30:00', 'Asia/Kathmandu', '2026-11-16T18:45:00.000Z'],
    ['2026-11-17T23:30:00', 'Pacific/Auckland', '2026-11-17T10:30:00.000Z'],
  ])('converts %s in %s to %s', (time, zone, expected) => expect(instant(time, zone)).toBe(expected));

  it('defaults to the time zone of the process', () => {
    const now = Date.parse('2026-11-17T16:07:00Z');
    expect(instant(formatLocalTime(now))).toBe('2026-11-17T16:07:00.000Z');
    expect(createTimeZone().dayOf(now)).toBe(formatLocalTime(now).slice(0, 10));
  });

  it('has days of 23 and 25 hours when daylight saving time begins and ends', () => {
    const zone = createTimeZone('Europe/Paris');
    const hours = (day: string): number => (zone.spanOf(day).to - zone.spanOf(day).from) / 3_600_000;
    expect(['2026-03-29', '2026-06-18', '2026-10-25'].map(hours)).toEqual([23, 24, 25]);
    expect(zone.dayOf(zone.spanOf('2026-10-25').from)).toBe('2026-10-25');
    expect(zone.dayOf(zone.spanOf('2026-10-25').to - 1)).toBe('2026-10-25');
  });

  it('is valid only if it has an IANA name', () => {
    expect(['Europe/Paris', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
  });
});
