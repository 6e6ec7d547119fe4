import { localTime } from '../../contract/index.ts';
import type { Days } from '../api/history-api.ts';

/** Whose changes have a colour of their own. */
export const groups = ['person', 'agent', 'client', 'other'] as const;
export type Group = (typeof groups)[number];
export type YearDay = { day: string; counts: Record<Group, number>; total: number };

const weeksShown = 53;

/** Every day from a Monday a year ago to today, with what was changed by whom. What Keepsake does by itself is left out. */
export function yearOf({ today, days }: Days): YearDay[] {
  const last = dateOf(today);
  const sinceMonday = (last.getDay() + 6) % 7;
  const shown = sinceMonday + 1 + 7 * (weeksShown - 1);
  const year: YearDay[] = Array.from({ length: shown }, (_, index) => {
    const date = new Date(last.getFullYear(), last.getMonth(), last.getDate() - (shown - 1 - index));
    const counts = { person: 0, agent: 0, client: 0, other: 0 };
    return { day: localTime(date.getTime()).slice(0, 10), counts, total: 0 };
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

/** How many notes there were at the end of each day, from how many there are now. */
export function growthOf({ notes }: Days, year: readonly YearDay[], now: number): number[] {
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

function groupOf(kind: Days['days'][number]['who']['kind']): Group {
  return kind === 'person' || kind === 'agent' || kind === 'client' ? kind : 'other';
}

function dateOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}
