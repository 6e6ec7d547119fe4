import { createTimeZone } from '../../contract/index.ts';
import { decodeText } from '../markdown/decode-text.ts';
import type { Converter } from '../document.ts';
import { refuse } from '../rejection.ts';
import { listEventLines } from './event-lines.ts';
import type { EventLine } from './event-lines.ts';
import { attempt } from './event-zone.ts';
import { parseEvents } from './parse-events.ts';
import type { CalendarEvent, ParsedCalendar } from './parse-events.ts';

/** Takes about a second. */
const maxOccurrences = 200_000;

/** Converts a calendar to a line for each event, in the form of appointments and in the local time of the vault. */
export const convertCalendar: Converter = async ({ name, bytes }, { timeZone, now = Date.now() }) => {
  const vault = createTimeZone(timeZone);
  const { text, warnings } = decodeText(bytes);
  const calendar = parseEvents(text, vault);
  const replaced = findReplacedDays(calendar.events);
  const context = { today: vault.dayOf(now), budget: { occurrences: maxOccurrences } };
  const lines: EventLine[] = [];
  const losses = { bounded: 0, unsupported: 0, unreadable: calendar.unreadable };
  for (const event of calendar.events) {
    const days = event.replaces === null ? (replaced.get(event.uid) ?? []) : [];
    const listed = attempt(() => listEventLines(event, days, context));
    if (listed === null) losses.unreadable += 1;
    // One by one, because an event may have more lines than a call has arguments.
    for (const line of listed?.lines ?? []) lines.push(line);
    if (listed !== null && listed.loss !== null) losses[listed.loss] += 1;
  }
  if (lines.length === 0 && losses.unreadable === 0 && calendar.cancelled === 0)
    return refuse(
      'empty',
      `the calendar contains no events${calendar.others > 0 ? ', only tasks or journal entries, which are not imported' : ''}`,
    );
  const title = calendar.name || name.replace(/\.\w+$/, '');
  return {
    kind: 'converted',
    markdown: formatNote(title, lines),
    images: [],
    metadata: { type: 'calendar', title },
    warnings: [...warnings, ...describeLosses(calendar, losses)],
    attachments: [],
  };
};

function findReplacedDays(events: readonly CalendarEvent[]): Map<string, string[]> {
  const days = new Map<string, string[]>();
  for (const { uid, replaces } of events) {
    if (replaces === null) continue;
    const known = days.get(uid) ?? [];
    known.push(replaces.day);
    days.set(uid, known);
  }
  return days;
}

type Losses = Record<'bounded' | 'unsupported' | 'unreadable', number>;

function describeLosses(
  { cancelled, others }: Pick<ParsedCalendar, 'cancelled' | 'others'>,
  { bounded, unsupported, unreadable }: Losses,
): string[] {
  const events = (count: number): string => (count === 1 ? '1 event' : `${count} events`);
  return [
    ...(unreadable > 0 ? [`${events(unreadable)} could not be read; the original is kept.`] : []),
    ...(others > 0
      ? [
          `${others === 1 ? '1 task or journal entry was' : `${others} tasks or journal entries were`} not imported; the original is kept.`,
        ]
      : []),
    ...(cancelled > 0 ? [`${events(cancelled)} left out because of cancellation.`] : []),
    ...(bounded > 0
      ? [
          `${events(bounded)} cannot be one line, for example because of another time zone: only the dates from a year ago until in two years are listed. Import a newer export before then.`,
        ]
      : []),
    ...(unsupported > 0
      ? [`${events(unsupported)} with an unsupported repetition: only the first date is listed.`]
      : []),
  ];
}

/** Repeating events first, then the latest years: only the first lines of a note count as appointments. */
function formatNote(title: string, lines: readonly EventLine[]): string {
  const sections = new Map<string, string[]>();
  for (const { day, isRepeating, text } of lines) {
    const heading = isRepeating ? 'Repeating' : day.slice(0, 4);
    const section = sections.get(heading) ?? [];
    section.push(text);
    sections.set(heading, section);
  }
  const heading = title.replaceAll(/[^\p{L}\p{M}\p{N} ,.'’@&()-]/gu, ' ').trim() || 'Calendar';
  const parts = [...sections].toSorted(([a], [b]) => (a > b ? -1 : 1));
  return [`# ${heading}`, ...parts.map(([name, own]) => `## ${name}\n\n${own.toSorted().join('\n')}`)].join(
    '\n\n',
  );
}
