import type { LocalTime } from './local-time.ts';

/** Conversions between instants and the local time of a time zone. */
export type TimeZone = {
  /** The IANA name, e.g. `Europe/Paris`. */
  name: string;
  /**
   * The instant of a local time, in milliseconds since 1970. In the hour that occurs twice when clocks are set back, it
   * is either instant.
   */
  instantOf(time: LocalTime): number;
  localTimeOf(instant: number): LocalTime;
  /** The local day of an instant, e.g. `2026-06-18`. */
  dayOf(instant: number): string;
  /** The instants of midnight at the start and at the end of the day. */
  spanOf(day: string): { from: number; to: number };
};

const second = 1_000;
const dayLength = 86_400_000;

/** `name` is an IANA time zone; the default is that of the process. Throws a RangeError for an unknown name. */
export function createTimeZone(name?: string): TimeZone {
  // The Swedish locale formats times as 2026-06-18 12:30:00.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const offsetAt = (instant: number): number =>
    Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / second) * second;
  const instantOf = (time: string): number => {
    const asUtc = Date.parse(`${time}Z`);
    // The offset depends on the instant, so the first result is an estimate that the second call corrects.
    return asUtc - offsetAt(asUtc - offsetAt(asUtc));
  };
  return {
    name: clock.resolvedOptions().timeZone,
    instantOf,
    localTimeOf: (instant) => clock.format(instant).replace(' ', 'T') as LocalTime,
    dayOf: (instant) => clock.format(instant).slice(0, 10),
    spanOf: (day) => ({
      from: instantOf(`${day}T00:00:00`),
      to: instantOf(`${addDays(day, 1)}T00:00:00`),
    }),
  };
}

/** Adds `count` days; it may be negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayLength).toISOString().slice(0, 10);
}

export function isTimeZone(name: string): boolean {
  try {
    return createTimeZone(name) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
