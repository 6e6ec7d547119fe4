import { expect, it } from 'vitest';
import { formatEvents } from './calendar.ts';

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

it('a calendar event is shown with its weekday and its time in UTC', () => {
  expect(
    formatEvents(
      calendar('PUBLISH', 'SUMMARY:Holiday', 'DTSTART;VALUE=DATE:20250714', 'DTEND:20250715T060000Z'),
    ),
  ).toEqual(['## Event: Holiday\n\n- Start: 2025-07-14\n- End: 2025-07-15 06:00 (UTC)']);
});

it('a cancelled calendar event is marked as cancelled', () => {
  expect(formatEvents(calendar('CANCEL', 'SUMMARY:Call', 'ORGANIZER:mailto:a@example.org'))).toEqual([
    '## Cancelled: Call\n\n- Organiser: a@example.org',
  ]);
});

it('a malformed calendar event is shown as far as it can be parsed', () => {
  expect(formatEvents(calendar('REQUEST', 'DTSTART:soon', 'nonsense'))).toEqual([
    '## Invitation: untitled\n\n- Start: soon',
  ]);
  expect(formatEvents('nothing of the kind')).toEqual([]);
});
