import { createHash } from 'node:crypto';
import { addDays, parseLocalTime } from '../../contract/index.ts';
import type { LocalTime, TimeZone } from '../../contract/index.ts';
import { formatPath, minutesBetween } from '../../vault/index.ts';
import type { Today, TodayItem } from '../../vault/index.ts';

type CalendarOptions = {
  name: string;
  /** The zone in which the times of the notes are meant. */
  zone: Pick<TimeZone, 'instantOf'>;
  now: number;
};

/** Formats the dated items as iCalendar (RFC 5545): tasks as whole-day events, because few applications show tasks of a feed. */
export function formatCalendar(today: Today, options: CalendarOptions): string {
  const { overdue, due, appointments, upcoming, waiting, later } = today;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Keepsake//Keepsake//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escapeText(options.name)}`,
    ...[...overdue, ...due, ...appointments, ...upcoming, ...waiting, ...later].flatMap((item) =>
      formatEvent(item, options),
    ),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join('');
}

function formatEvent(item: TodayItem, { name, zone, now }: CalendarOptions): string[] {
  const { path, lineNumber, title, when, repeat, priority, form, occurrence } = item;
  if (when === null) return [];
  const { day, time, endTime } = when;
  const instantOf = (onDay: string, clock: string): number =>
    zone.instantOf(parseLocalTime(`${onDay}T${clock}:00`) as LocalTime);
  const hours = (start: string): string[] => {
    const from = instantOf(day, start);
    if (endTime === null) return [`DTSTART:${formatUtc(from)}`];
    const stated = instantOf(endTime < start ? addDays(day, 1) : day, endTime);
    // Where clocks are set forward, both may be the same instant.
    const to = stated > from ? stated : from + minutesBetween(start, endTime) * 60_000;
    return [`DTSTART:${formatUtc(from)}`, `DTEND:${formatUtc(to)}`];
  };
  // Without the line and the day: an item that moves within its note or is postponed stays the same event.
  const key = [name, path, title, occurrence].join('\0');
  const uid = createHash('sha256').update(key).digest('hex').slice(0, 32);
  const description = [`${formatPath(path)}:${lineNumber}`, ...(repeat === null ? [] : [`🔁 ${repeat}`])];
  return [
    'BEGIN:VEVENT',
    `UID:${uid}@keepsake`,
    `DTSTAMP:${formatUtc(now)}`,
    ...(time === null
      ? [`DTSTART;VALUE=DATE:${compactDay(day)}`, `DTEND;VALUE=DATE:${compactDay(addDays(day, 1))}`]
      : hours(time)),
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(description.join('\n'))}`,
    ...(priority === 2 ? [] : [`PRIORITY:${priority === 0 ? 1 : 5}`]),
    `TRANSP:${form === 'line' || time !== null ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ];
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
