import type { LocalTime } from './local-time.ts';

/** The clocks of a time zone, for a process or a person in another one. */
export type TimeZone = {
  /** The instant at which clocks there show this time, in milliseconds since 1970. Of an hour that they show twice it is either. */
  instantOf(time: LocalTime): number;
  /** The day there at an instant, as `2026-06-18`. */
  dayOf(instant: number): string;
  /** From midnight to midnight there. */
  spanOf(day: string): { from: number; to: number };
};

const second = 1_000;
const dayLength = 86_400_000;

/** The name is one of the IANA database; left out, the zone is that of this process. Throws a RangeError for any other name. */
export function createTimeZone(name?: string): TimeZone {
  // In Swedish a time is written as 2026-06-18 12:30:00.
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: name,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const offsetAt = (instant: number): number =>
    Date.parse(`${clock.format(instant).replace(' ', 'T')}Z`) - Math.floor(instant / second) * second;
  const instantOf = (time: string): number => {
    const asUtc = Date.parse(`${time}Z`);
    // The offset is known only at an instant; this one is at most a day away, and then right.
    return asUtc - offsetAt(asUtc - offsetAt(asUtc));
  };
  return {
    instantOf,
    dayOf: (instant) => clock.format(instant).slice(0, 10),
    spanOf: (day) => ({
      from: instantOf(`${day}T00:00:00`),
      to: instantOf(`${addDays(day, 1)}T00:00:00`),
    }),
  };
}

/** The day `count` days later; it may be negative. */
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
