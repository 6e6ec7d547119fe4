import ICAL from 'ical.js';
import { addDays } from '../../contract/index.ts';
import type { TimeZone } from '../../contract/index.ts';
import { attempt, createZoneFinder, toWall, toWallTime } from './event-zone.ts';
import type { EventZone, WallTime } from './event-zone.ts';

/** An event of a calendar, in its own time zone. */
export type CalendarEvent = {
  uid: string;
  title: string;
  place: string;
  start: WallTime;
  /** The last day of a whole-day event; null if there is no end. */
  end: WallTime | null;
  rules: ICAL.Recur[];
  /** The last day of its rule; null if that has no such end. */
  until: string | null;
  /** Further days on which it takes place. */
  added: WallTime[];
  /** Days on which it does not. */
  excluded: string[];
  /** The time of the repeating event that this one replaces. */
  replaces: WallTime | null;
  /** Converts to the time zone of the vault. */
  toLocal: (time: WallTime) => WallTime;
};

export type ParsedCalendar = {
  name: string;
  events: CalendarEvent[];
  cancelled: number;
  unreadable: number;
  /** The number of tasks and journal entries, which are not read. */
  others: number;
};

const maxEvents = 20_000;

/** Parses the events of an iCalendar file (RFC 5545), each on its own, so that a damaged one does not hide the others. */
export function parseEvents(text: string, vault: TimeZone): ParsedCalendar {
  const findZone = createZoneFinder(findBlocks(text, 'VTIMEZONE'));
  const calendar: ParsedCalendar = { name: '', events: [], cancelled: 0, unreadable: 0, others: 0 };
  calendar.name = /^X-WR-CALNAME[^:\r\n]*:(.*)$/im.exec(text)?.[1]?.replaceAll('\\', '').trim() ?? '';
  calendar.others = findBlocks(text, 'VTODO').length + findBlocks(text, 'VJOURNAL').length;
  for (const block of findBlocks(text, 'VEVENT').slice(0, maxEvents)) {
    const event = attempt(() => parseEvent(block, findZone, vault));
    if (event === 'cancelled') calendar.cancelled += 1;
    else if (event === null) calendar.unreadable += 1;
    else calendar.events.push(event);
  }
  return calendar;
}

/** The text of each component; one without an end reaches to the next. */
function findBlocks(text: string, name: string): string[] {
  const blocks: string[] = [];
  const lines = text.split(/\r\n?|\n/);
  let start = -1;
  for (const [index, line] of lines.entries()) {
    const mark = line.trim().toUpperCase();
    if (mark !== `BEGIN:${name}` && mark !== `END:${name}`) continue;
    const isEnd = mark.startsWith('END');
    if (start !== -1) blocks.push(lines.slice(start, isEnd ? index + 1 : index).join('\r\n'));
    start = isEnd ? -1 : index;
  }
  return start === -1 ? blocks : [...blocks, lines.slice(start).join('\r\n')];
}

const usedProperties =
  /^(?:UID|SUMMARY|LOCATION|STATUS|DTSTART|DTEND|DURATION|RRULE|RDATE|EXDATE|RECURRENCE-ID)(?=[;:])/i;

/** Keeps only the properties that are read, so that an unreadable one of the others does no harm. */
function keepUsedProperties(block: string): string {
  const lines = block.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  let depth = 0;
  const kept = lines.filter((line) => {
    if (/^BEGIN:/i.test(line)) depth += 1;
    if (/^END:/i.test(line)) depth -= 1;
    return depth === 1 && usedProperties.test(line);
  });
  return ['BEGIN:VEVENT', ...kept, 'END:VEVENT'].join('\r\n');
}

function parseEvent(
  block: string,
  findZone: (name: string | null) => EventZone | null,
  vault: TimeZone,
): CalendarEvent | 'cancelled' {
  const component = new ICAL.Component(ICAL.parse(keepUsedProperties(block)) as never);
  const text = (name: string): string => String(component.getFirstPropertyValue(name) ?? '');
  if (text('status').toUpperCase() === 'CANCELLED') return 'cancelled';
  const property = component.getFirstProperty('dtstart');
  const first = property?.getFirstValue();
  if (!(first instanceof ICAL.Time)) throw new Error('no start');
  const zone = first.isDate ? null : findZone(zoneOf(first, property?.getFirstParameter('tzid')));
  const start = toWallTime(first);
  // The library reads February 31 as March 3.
  if (!String(property?.toJSON()[3]).startsWith(start.day)) throw new Error('no such day');
  // An exception or an end may be in another zone than the start.
  const inZone = (each: ICAL.Time, tzid: string | undefined): WallTime => {
    const other = each.isDate ? null : findZone(zoneOf(each, tzid));
    const time = toWallTime(each);
    return other === null || zone === null || other === zone ? time : zone.wallTimeOf(other.instantOf(time));
  };
  const list = (name: string): WallTime[] =>
    component.getAllProperties(name).flatMap((each) =>
      each.getValues().flatMap((value: unknown) => {
        if (value instanceof ICAL.Period) return [inZone(value.start, each.getFirstParameter('tzid'))];
        return value instanceof ICAL.Time ? [inZone(value, each.getFirstParameter('tzid'))] : [];
      }),
    );
  const rules = component
    .getAllProperties('rrule')
    .map((each) => each.getFirstValue())
    .filter((rule): rule is ICAL.Recur => rule instanceof ICAL.Recur);
  const [rule] = rules;
  const end = rule?.until === undefined || rule.until === null ? null : inZone(rule.until, undefined);
  const isBefore = end !== null && end.clock !== null && start.clock !== null && end.clock < start.clock;
  return {
    uid: text('uid'),
    title: text('summary'),
    place: text('location'),
    start,
    end: parseEnd(component, first, inZone),
    rules,
    until: end && (isBefore ? addDays(end.day, -1) : end.day),
    added: list('rdate'),
    excluded: list('exdate').map(({ day }) => day),
    replaces: list('recurrence-id')[0] ?? null,
    toLocal: (time) =>
      zone === null || zone.name === vault.name || time.clock === null
        ? time
        : toWall(vault.localTimeOf(zone.instantOf(time))),
  };
}

function parseEnd(
  component: ICAL.Component,
  start: ICAL.Time,
  inZone: (time: ICAL.Time, zone: string | undefined) => WallTime,
): WallTime | null {
  const property = component.getFirstProperty('dtend');
  const value = property?.getFirstValue();
  const duration = component.getFirstPropertyValue('duration');
  const end =
    value instanceof ICAL.Time
      ? inZone(value, property?.getFirstParameter('tzid'))
      : duration instanceof ICAL.Duration
        ? toWallTime(addDuration(start, duration))
        : null;
  if (end === null || !start.isDate) return end;
  const last = addDays(end.day, -1);
  return { day: last < toWallTime(start).day ? toWallTime(start).day : last, clock: null };
}

function addDuration(time: ICAL.Time, duration: ICAL.Duration): ICAL.Time {
  const sum = time.clone();
  sum.addDuration(duration);
  return sum;
}

/** The name of its zone; null for a time without one, which is meant wherever one is. */
function zoneOf(time: ICAL.Time, parameter: string | undefined): string | null {
  if (time.zone === ICAL.Timezone.utcTimezone) return 'UTC';
  return parameter ?? null;
}
