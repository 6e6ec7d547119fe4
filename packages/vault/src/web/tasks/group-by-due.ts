import { addDays } from '../../contract/index.ts';
import type { TaskItem } from '../api/notes-api.ts';

export const dueGroups = ['overdue', 'today', 'week', 'later', 'none'] as const;
export type DueGroup = (typeof dueGroups)[number];

/** Groups tasks by deadline; groups without tasks are left out. */
export function groupByDue(
  tasks: readonly TaskItem[],
  today: string,
): { due: DueGroup; tasks: TaskItem[] }[] {
  const groups = new Map<DueGroup, TaskItem[]>();
  for (const task of tasks) {
    const due = dueOf(task.day, today);
    groups.set(due, [...(groups.get(due) ?? []), task]);
  }
  return dueGroups.flatMap((due) => {
    const own = groups.get(due);
    return own === undefined ? [] : [{ due, tasks: own }];
  });
}

export function dueOf(day: string | null, today: string): DueGroup {
  if (day === null) return 'none';
  if (day < today) return 'overdue';
  if (day === today) return 'today';
  return day <= addDays(today, 7) ? 'week' : 'later';
}

/** The number of days from one day to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
