import { expect, it } from 'vitest';
import { describeCalendar } from './calendar.ts';

function calendar(method: string, ...lines: string[]): string {
  return [
    'BEGIN:VCALENDAR',
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\n');
}

it('a calendar event is told with its day, and with its hour in UTC', () => {
  expect(
    describeCalendar(
      calendar('PUBLISH', 'SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20250714', 'DTEND:20250715T060000Z'),
    ),
  ).toEqual(['## Event: Holiday\n\n- Start: 2025-07-14\n- End: 2025-07-15 06:00 (UTC)']);
});

it('a calendar event that is cancelled is told as such', () => {
  expect(describeCalendar(calendar('CANCEL', 'SUMMARY:Call', 'ORGANIZER:mailto:a@example.org'))).toEqual([
    '## Cancelled: Call\n\n- Organiser: a@example.org',
  ]);
});

it('a calendar event is told as far as it can be read', () => {
  expect(describeCalendar(calendar('REQUEST', 'DTSTART:soon', 'nonsense'))).toEqual([
    '## Invitation: untitled\n\n- Start: soon',
  ]);
  expect(describeCalendar('nothing of the kind')).toEqual([]);
});
