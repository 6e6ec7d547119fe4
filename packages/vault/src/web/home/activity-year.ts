import { formatLocalTime } from '../../contract/index.ts';
import type { HistoryActivity } from '../api/history-api.ts';

/** The groups of authors, each with its own color. */
export const authorGroups = ['person', 'agent', 'client', 'other'] as const;
export type AuthorGroup = (typeof authorGroups)[number];
export type ActivityDay = { day: string; counts: Record<AuthorGroup, number>; total: number };

const weeksShown = 53;

/** The changes per author for every day from a Monday a year ago to today. Changes by upkeep are left out. */
export function buildActivityYear({ today, days }: HistoryActivity): ActivityDay[] {
  const last = dateOf(today);
  const sinceMonday = (last.getDay() + 6) % 7;
  const shown = sinceMonday + 1 + 7 * (weeksShown - 1);
  const year: ActivityDay[] = Array.from({ length: shown }, (_, index) => {
    const date = new Date(last.getFullYear(), last.getMonth(), last.getDate() - (shown - 1 - index));
    const counts = { person: 0, agent: 0, client: 0, other: 0 };
    return { day: formatLocalTime(date.getTime()).slice(0, 10), counts, total: 0 };
  });
  const byDay = new Map(year.map((each) => [each.day, each]));
  for (const { day: name, who, changes } of days) {
    const day = byDay.get(name);
    if (day === undefined || who.kind === 'upkeep') continue;
    day.counts[groupOf(who.kind)] += changes;
    day.total += changes;
  }
  return year;
}

/** The number of notes at the end of each day, computed backwards from the current number. */
export function noteCounts({ notes }: HistoryActivity, year: readonly ActivityDay[], now: number): number[] {
  const more = new Map(notes.map((each) => [each.day, each.more]));
  let count = now;
  return year
    .toReversed()
    .map(({ day }) => {
      const then = count;
      count -= more.get(day) ?? 0;
      return Math.max(0, then);
    })
    .toReversed();
}

function groupOf(kind: HistoryActivity['days'][number]['who']['kind']): AuthorGroup {
  return kind === 'person' || kind === 'agent' || kind === 'client' ? kind : 'other';
}

function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}
