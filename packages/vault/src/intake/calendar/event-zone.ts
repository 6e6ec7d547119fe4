import ICAL from 'ical.js';
import { createTimeZone, isTimeZone } from '../../contract/index.ts';
import type { LocalTime } from '../../contract/index.ts';

/** A time as it is on the wall: `clock` is null for a whole day. */
export type WallTime = { day: string; clock: string | null };

/** The time zone of an event. */
export type EventZone = {
  /** The IANA name; null for a zone that only the calendar defines. */
  name: string | null;
  instantOf: (time: WallTime) => number;
  wallTimeOf: (instant: number) => WallTime;
};

const maxZones = 100;

/** Finds zones by the names in a calendar, which may define further ones. Null for no name and for an unknown one: local time. */
export function createZoneFinder(definitions: readonly string[]): (name: string | null) => EventZone | null {
  const defined = new Map<string, ICAL.Timezone>();
  for (const block of definitions.slice(0, maxZones)) {
    const rules = block.match(/^RRULE[^\r\n]*(?:\r\n[ \t][^\r\n]*)*/gim) ?? [];
    // Another definition could take forever to expand.
    if (rules.some((rule) => !/FREQ=YEARLY/i.test(rule) || /INTERVAL/i.test(rule))) continue;
    const zone = attempt(() => new ICAL.Timezone(new ICAL.Component(ICAL.parse(block) as never)));
    if (zone !== null) defined.set(zone.tzid, zone);
  }
  const known = new Map<string, EventZone | null>();
  return (name) => {
    if (name === null) return null;
    const zone = known.get(name) ?? createZone(ianaName(name), defined.get(name));
    known.set(name, zone);
    return zone;
  };
}

/** Null if the library or a check throws. */
export function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function createZone(name: string | null, defined: ICAL.Timezone | undefined): EventZone | null {
  if (name !== null) {
    const zone = createTimeZone(name);
    return {
      name: zone.name,
      instantOf: ({ day, clock }) => zone.instantOf(`${day}T${clock ?? '00:00'}:00` as LocalTime),
      wallTimeOf: (instant) => toWall(zone.localTimeOf(instant)),
    };
  }
  if (defined === undefined) return null;
  return {
    name,
    instantOf({ day, clock }) {
      const time = ICAL.Time.fromDateTimeString(`${day}T${clock ?? '00:00'}:00`);
      time.zone = defined;
      return time.toUnixTime() * 1_000;
    },
    wallTimeOf: (instant) => toWallTime(ICAL.Time.fromJSDate(new Date(instant), true).convertToZone(defined)),
  };
}

/** Some programs write a path before the name, for example `/freeassociation.sourceforge.net/Europe/Paris`. */
function ianaName(zone: string): string | null {
  const segments = zone.split('/').filter((segment) => segment !== '');
  const names = [zone, ...[3, 2, 1].map((count) => segments.slice(-count).join('/'))];
  return names.find((name) => name !== '' && isTimeZone(name)) ?? null;
}

export function toWall(local: LocalTime): WallTime {
  return { day: local.slice(0, 10), clock: local.slice(11, 16) };
}

/** Throws if the day does not exist. */
export function toWallTime(time: ICAL.Time): WallTime {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(time.year).padStart(4, '0')}-${two(time.month)}-${two(time.day)}`;
  if (!/^[12]\d{3}-/.test(day) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day)
    throw new Error('no such day');
  if (time.isDate) return { day, clock: null };
  if (time.hour > 23 || time.minute > 59) throw new Error('no such time');
  return { day, clock: `${two(time.hour)}:${two(time.minute)}` };
}
