import { expect, it } from 'vitest';
import { parseCalendarSearch } from './calendar-search.ts';
import { monthGrid, moveMonth } from './month-grid.ts';

it('shows whole weeks from Monday to Sunday', () => {
  const days = monthGrid('2026-11-18');
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  expect([monthGrid('2027-02-10').length, monthGrid('2027-02-10')[0]]).toEqual([28, '2027-02-01']);
});

it('moves over the end of a year', () => {
  expect([moveMonth('2026-12-31', 1), moveMonth('2026-01-31', -1)]).toEqual(['2027-01-01', '2025-12-01']);
});

it('drops a day that does not exist', () => {
  expect(parseCalendarSearch({ day: '2026-02-28' })).toEqual({ day: '2026-02-28' });
  for (const day of ['2026-02-31', '2026-2-3', 7, undefined])
    expect(parseCalendarSearch({ day })).toEqual({});
});
