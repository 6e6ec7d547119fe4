import { expect, it } from 'vitest';
import { noteCounts, buildActivityYear } from './activity-year.ts';

const person = { kind: 'person', name: 'web' } as const;

it('buildActivityYear covers a year from a Monday to today, with the changes per kind of author', () => {
  const year = buildActivityYear({
    today: '2026-06-18',
    notes: [],
    days: [
      { day: '2026-06-18', who: person, changes: 2 },
      { day: '2026-06-18', who: { kind: 'person', name: 'terminal' }, changes: 1 },
      { day: '2026-06-18', who: { kind: 'sync', name: '' }, changes: 4 },
      { day: '2026-06-18', who: { kind: 'upkeep', name: '' }, changes: 9 },
      { day: '2020-01-01', who: person, changes: 9 },
    ],
  });
  expect(year[0]?.day).toBe('2025-06-16');
  expect(year.at(-1)).toEqual({
    day: '2026-06-18',
    counts: { person: 3, agent: 0, client: 0, other: 4 },
    total: 7,
  });
  expect(new Set(year.map(({ day }) => day)).size).toBe(52 * 7 + 4);
});

it('noteCounts computes past numbers of notes from the current one', () => {
  const days = {
    today: '2026-06-18',
    days: [],
    notes: [
      { day: '2026-06-17', more: 3 },
      { day: '2026-06-18', more: -1 },
    ],
  };
  expect(noteCounts(days, buildActivityYear(days), 10).slice(-4)).toEqual([8, 8, 11, 10]);
});
