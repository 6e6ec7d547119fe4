import { createHash } from 'node:crypto';
import { addDays, parseLocalTime } from '../../contract/index.ts';
import type { LocalTime, TimeZone } from '../../contract/index.ts';
import {
  formatPath,
  formatRecurrenceRule,
  minutesBetween,
  recurrenceOf,
  timeFrom,
} from '../../vault/index.ts';
import type { Recurrence, TodayItem } from '../../vault/index.ts';
import { formatTimeZone } from './format-time-zone.ts';

type CalendarOptions = {
  name: string;
  /** The zone in which the times of the notes are meant. */
  zone: TimeZone;
  now: number;
};

/**
 * Formats dated tasks and appointments as iCalendar (RFC 5545): tasks as whole-day events, because few applications show
 * tasks of a feed. Past appointments are left out, repeating ones start with the next.
 */
export function formatCalendar(items: readonly TodayItem[], options: CalendarOptions): string {
  const today = options.zone.dayOf(options.now);
  const events = items.flatMap((item) => formatEvent(item, today, options));
  const timed = events.flatMap(({ zonedDay }) => zonedDay ?? []).toSorted();
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Keepsake//Keepsake//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(options.name)}`,
    ...(timed[0] === undefined ? [] : formatTimeZone(options.zone, timed[0], options.now)),
    ...events.flatMap((event) => event.lines),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

/** `zonedDay` is its day if its times need the definition of the time zone; otherwise null. */
type CalendarEvent = { lines: string[]; zonedDay: string | null };

function formatEvent(item: TodayItem, today: string, { name, zone, now }: CalendarOptions): CalendarEvent[] {
  const { path, lineNumber, title, repeat, priority, form, occurrence } = item;
  const when = timeFrom(item, today);
  if (when === null || item.when === null || (form === 'line' && when.day < today)) return [];
  const { day, time, endTime } = when;
  const recurrence = recurrenceOf(item);
  // In UTC, a repeating event would move by an hour with daylight saving time.
  const isZoned = recurrence !== null && time !== null && zone.name !== 'UTC';
  const atTime = (on: string, clock: string): string =>
    isZoned ? `${compactDay(on)}T${clock.replace(':', '')}00` : utcTime(zone, on, clock);
  const type = time === null ? ';VALUE=DATE' : isZoned ? `;TZID=${zone.name}` : '';
  const at = (on: string): string => (time === null ? compactDay(on) : atTime(on, time));
  // Without the line and the day: an item that moves within its note or is postponed stays the same event.
  const key = [name, path, title, occurrence].join('\0');
  const uid = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const description = [`${formatPath(path)}:${lineNumber}`, ...(repeat === null ? [] : [`🔁 ${repeat}`])];
  const lines = [
    'BEGIN:VEVENT',
    `UID:${uid}@keepsake`,
    `DTSTAMP:${formatUtc(now)}`,
    `DTSTART${type}:${at(day)}`,
    ...(time === null ? [`DTEND${type}:${compactDay(addDays(day, 1))}`] : []),
    ...(time === null || endTime === null
      ? []
      : [
          isZoned
            ? `DTEND${type}:${atTime(endDay({ day, time, endTime }), endTime)}`
            : `DTEND:${formatUtc(endInstant({ day, time, endTime }, zone))}`,
        ]),
    ...(recurrence === null ? [] : formatRecurrence(recurrence, item.when.day, day, { type, at, zone })),
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description.join('\n'))}`,
    ...(priority === 2 ? [] : [`PRIORITY:${priority === 0 ? 1 : 5}`]),
    `TRANSP:${form === 'line' || time !== null ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ];
  return [{ lines, zonedDay: isZoned ? day : null }];
}

type Span = { day: string; time: string; endTime: string };

/** An end before the start is on the next day. */
function endDay({ day, time, endTime }: Span): string {
  return endTime < time ? addDays(day, 1) : day;
}

function endInstant(span: Span, zone: Pick<TimeZone, 'instantOf'>): number {
  const { day, time, endTime } = span;
  const instantOf = (onDay: string, clock: string): number =>
    zone.instantOf(parseLocalTime(`${onDay}T${clock}:00`) as LocalTime);
  const from = instantOf(day, time);
  const stated = instantOf(endDay(span), endTime);
  // Where clocks are set forward, both may be the same instant.
  return stated > from ? stated : from + minutesBetween(time, endTime) * 60_000;
}

type Times = { type: string; at: (day: string) => string; zone: TimeZone };

/** `start` is the day from which the repetition counts, `first` that of the event. */
function formatRecurrence(
  recurrence: Recurrence,
  start: string,
  first: string,
  { type, at, zone }: Times,
): string[] {
  const { until } = recurrence;
  const { rule, days } = formatRecurrenceRule(recurrence, start);
  const others = days.filter((day) => day > first);
  const exceptions = [...recurrence.except].filter((day) => day >= first).toSorted();
  const last = until === null || type === ';VALUE=DATE' ? until : utcTime(zone, until, '23:59');
  return [
    `RRULE:${rule}${last === null ? '' : `;UNTIL=${compactDay(last)}`}`,
    ...(others.length === 0 ? [] : [`RDATE${type}:${others.map(at).join(',')}`]),
    ...(exceptions.length === 0 ? [] : [`EXDATE${type}:${exceptions.map(at).join(',')}`]),
  ];
}

function utcTime(zone: Pick<TimeZone, 'instantOf'>, day: string, clock: string): string {
  const local = parseLocalTime(`${day}T${clock}:00`);
  return local === null ? '' : formatUtc(zone.instantOf(local));
}

function compactDay(day: string): string {
  return day.replaceAll('-', '');
}

function formatUtc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r?\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, ' ');
}

const maxLineBytes = 75;

/** Breaks a line after at most 75 bytes, never inside a character; a continuation starts with a space. */
function foldLine(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > maxLineBytes) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
