import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { addDays } from '../contract/index.ts';
import {
  findOccurrence,
  formatRecurrenceRule,
  nextTaskDay,
  occursOn,
  parseRecurrence,
} from './recurrence.ts';
import type { Recurrence } from './recurrence.ts';

const parse = (text: string): Recurrence => parseRecurrence(text) ?? expect.unreachable(text);
const next = (rule: string, due: string | null, done = '2026-01-05') => nextTaskDay(parse(rule), due, done);

describe('the next task', () => {
  it.each([
    ['every day', '2026-01-01', '2026-01-02'],
    ['every 10 days', '2025-12-25', '2026-01-04'],
    ['every week', '2026-01-01', '2026-01-08'],
    ['Every 2 weeks', '2026-01-01', '2026-01-15'],
    ['every other week', '2026-01-01', '2026-01-15'],
    ['every weekday', '2026-01-02', '2026-01-05'],
    ['every Sunday', '2026-01-01', '2026-01-04'],
    ['every tuesday, thursday', '2026-01-01', '2026-01-06'],
    ['every week on Monday and Friday', '2026-01-01', '2026-01-02'],
    ['every 2 weeks on Mon, Fri', '2026-01-02', '2026-01-12'],
    ['every month', '2026-01-15', '2026-02-15'],
    ['every month', '2026-01-31', '2026-02-28'],
    ['every month', '2026-02-28', '2026-03-28'],
    ['every 3 months', '2025-11-30', '2026-02-28'],
    ['every month on the 15th', '2026-01-20', '2026-02-15'],
    ['every month on the 31st', '2026-01-31', '2026-03-31'],
    ['every month on the last', '2026-01-31', '2026-02-28'],
    ['every month on the 1st and 15th', '2026-01-01', '2026-01-15'],
    ['every month on the 2nd Tuesday', '2026-01-13', '2026-02-10'],
    ['every month on the last Friday', '2026-01-30', '2026-02-27'],
    ['every month on the 5th Monday', '2026-03-30', '2026-06-29'],
    ['every year', '2026-01-31', '2027-01-31'],
    ['every year', '2024-02-29', '2025-02-28'],
    ['every 4 years', '2024-02-29', '2028-02-29'],
  ])('%s after %s is on %s', (rule, due, expected) => expect(next(rule, due)).toBe(expected));

  it('counts from the day on which it is done if the repetition says so, or if it has no date', () => {
    expect(next('every week when done', '2026-01-01', '2026-03-04')).toBe('2026-03-11');
    expect(next('every month when done', '2026-01-01', '2026-01-31')).toBe('2026-02-28');
    expect(next('every week', null, '2026-03-04')).toBe('2026-03-11');
  });

  it('does not exist after the end, and skips exceptions', () => {
    expect(next('every week until 2026-01-14', '2026-01-01')).toBe('2026-01-08');
    expect(next('every week until 2026-01-14', '2026-01-08')).toBeNull();
    expect(next('every week except 2026-01-08, 2026-01-15', '2026-01-01')).toBe('2026-01-22');
  });
});

it.each([
  '',
  'every',
  'every blue moon',
  'every 0 days',
  'every 99999 days',
  'weekly',
  'every January',
  'every month on the 32nd',
  'every month on the 6th Monday',
  'every month on',
  'every year on the 5th',
  'every week on the 5th',
  'every day, week',
  'every week until later',
  'every week for 3 times',
  'tous les mois',
])('%j is not understood', (text) => expect(parseRecurrence(text)).toBeNull());

const anyDay = fc.integer({ min: 0, max: 20_000 }).map((count) => addDays('1990-01-01', count));
const anyRule = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.constantFrom('days', 'weeks', 'months', 'years'))
    .map(([count, unit]) => `every ${count} ${unit}`),
  fc.constantFrom(
    'every weekday',
    'every Monday, Saturday',
    'every 3 weeks on Tuesday, Sunday',
    'every month on the 31st',
    'every 2 months on the last',
    'every month on the 1st, 15th',
    'every month on the 2nd Tuesday, last Friday',
    'every 5 months on the 5th Monday',
  ),
);

it('reads spaces and separators as they come', () => {
  expect(next('every   2  weeks  on Monday ,  Friday   until 2026-12-31 ', '2026-01-02')).toBe('2026-01-12');
  expect(parseRecurrence(`every day${' '.repeat(100_000)}x`)).toBeNull();
});

describe('every repetition', () => {
  it('has a next day that is later, and takes place on it', () => {
    fc.assert(
      fc.property(anyRule, anyDay, (text, due) => {
        const after = next(text, due) ?? expect.unreachable();
        expect(after > due).toBe(true);
        expect(occursOn(parse(text), due, after)).toBe(true);
      }),
    );
  });

  it('moves as far in many steps as in one', () => {
    const units = fc.constantFrom('day', 'week', 'month', 'year');
    fc.assert(
      fc.property(units, fc.integer({ min: 1, max: 12 }), anyDay, (unit, steps, day) => {
        const due = `${day.slice(0, 8)}${String(Math.min(28, Number(day.slice(8)))).padStart(2, '0')}`;
        let stepped = due;
        for (let step = 0; step < steps; step += 1)
          stepped = next(`every ${unit}`, stepped) ?? expect.unreachable();
        expect(stepped).toBe(next(`every ${steps} ${unit}s`, due));
      }),
    );
  });

  it('takes place on the days that another implementation finds from its RRULE', () => {
    fc.assert(
      fc.property(anyRule, anyDay, (text, day) => {
        const rule = parse(text);
        // A rule of iCalendar starts on one of its days.
        const start = occursOnAfter(rule, day);
        const until = addDays(start, 3_000);
        const { rule: rrule, days } = formatRecurrenceRule(rule, start);
        const others = new Set(days.filter((each) => each <= until));
        const iterator = ICAL.Recur.fromString(rrule).iterator(ICAL.Time.fromDateString(start));
        for (let each = iterator.next().toString(); each <= until; each = iterator.next().toString())
          others.add(each);
        const own: string[] = [];
        for (let each: string | null = start; each !== null && each <= until;) {
          own.push(each);
          each = findOccurrence(rule, start, addDays(each, 1));
        }
        expect(own).toEqual([...others].toSorted());
      }),
    );
  });
});

function occursOnAfter(rule: Recurrence, day: string): string {
  return nextTaskDay(rule, day, day) ?? expect.unreachable();
}
