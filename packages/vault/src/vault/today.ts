import { addDays, formatLocalTime } from '../contract/index.ts';
import type { FolderEntry } from './file-record.ts';
import { findFile } from './find-entry.ts';
import { isTreeFile } from './layout.ts';
import type { Layout } from './layout.ts';
import { childPath } from './path.ts';
import type { VaultPath } from './path.ts';
import { findOccurrence, parseRecurrence } from './recurrence.ts';
import type { Recurrence } from './recurrence.ts';
import type { When } from './task-marks.ts';
import type { StoredTask } from './tasks.ts';
import type { VaultView } from './vault-view.ts';
import { walkFiles } from './walk-files.ts';

/** A task that waits, or a task or appointment with a date. */
export type TodayItem = StoredTask & {
  path: VaultPath;
  /** The number of earlier items in the note with the same title. */
  occurrence: number;
};

/** What a day brings. Every item is in one list only. */
export type Today = {
  /** For example 2026-07-14. */
  day: string;
  /** Unfinished tasks whose day has passed. */
  overdue: TodayItem[];
  /** Due on the day, without a time. */
  due: TodayItem[];
  /** With a time, on the day or in the week after it. */
  appointments: TodayItem[];
  /** Due in the week after the day, without a time. */
  upcoming: TodayItem[];
  /** Tasks that wait for someone or something, with or without a date. */
  waiting: TodayItem[];
  /** Items after that week. */
  later: TodayItem[];
  /** Unfinished tasks and appointments whose day does not exist, for example 2026-02-31. */
  invalid: TodayItem[];
  /** Files changed on the day or the day before, newest first. */
  changed: { path: VaultPath; updated: string }[];
};

const upcomingDays = 7;

type TaskSource = Pick<VaultView, 'contents' | 'findTasks' | 'layout'>;

/** Collects the tasks, appointments and recent changes of a vault from its catalogue, without reading any note. */
export async function collectToday(view: TaskSource, day: string): Promise<Today> {
  const today: Today = {
    day,
    overdue: [],
    due: [],
    appointments: [],
    upcoming: [],
    waiting: [],
    later: [],
    invalid: [],
    changed: [],
  };
  for (const item of await listDatedTasks(view)) {
    const current = { ...item, when: timeFrom(item, day) };
    const list = listFor(current, day);
    if (list !== null) today[list].push(current);
  }
  for (const list of ['overdue', 'due', 'appointments', 'upcoming', 'waiting', 'later', 'invalid'] as const)
    today[list].sort(list === 'overdue' || list === 'due' ? byPriority : byDay);
  today.changed = listChangedFiles(await view.contents(), addDays(day, -1), addDays(day, 1));
  return today;
}

/** Lists the unfinished tasks and the appointments that count, in the order of their notes. */
export async function listDatedTasks(view: TaskSource): Promise<TodayItem[]> {
  const [contents, layout] = [await view.contents(), view.layout()];
  const items: TodayItem[] = [];
  for (const { path, tasks } of await view.findTasks('dated')) {
    if (findFile(contents, path) === undefined) continue;
    const isOwn = hasOwnTasks(path, layout);
    const isFiled = !layout.isInInbox(path);
    const seen = new Map<string, number>();
    for (const task of tasks) {
      if (!(task.isEvent === true ? isFiled : isOwn)) continue;
      const occurrence = seen.get(task.title) ?? 0;
      seen.set(task.title, occurrence + 1);
      items.push({ ...task, path, occurrence });
    }
  }
  return items;
}

/** How an appointment repeats, or a task whose next day does not depend on when it is done. */
export function recurrenceOf({ repeat }: Pick<StoredTask, 'repeat'>): Recurrence | null {
  const recurrence = repeat === null ? null : parseRecurrence(repeat);
  return recurrence?.isFromDone === true ? null : recurrence;
}

/** When an item takes place: a repeating appointment for the first time from `day` on. A task repeats when it is done. */
export function timeFrom(item: Pick<StoredTask, 'form' | 'when' | 'repeat'>, day: string): When | null {
  const { form, when } = item;
  const recurrence = form === 'line' ? recurrenceOf(item) : null;
  if (recurrence === null || when === null) return when;
  const next = findOccurrence(recurrence, when.day, day);
  return next === null ? null : { ...when, day: next };
}

/** The files changed from one day until before another one, newest first. */
function listChangedFiles(contents: FolderEntry, from: string, to: string): Today['changed'] {
  const changed: Today['changed'] = [];
  const [start, end] = [Date.parse(`${from}T00:00:00`), Date.parse(`${to}T00:00:00`)];
  for (const { folder, name, entry } of walkFiles(contents)) {
    const { updated, mtime } = entry;
    const isChanged = updated === null ? mtime >= start && mtime < end : updated >= from && updated < to;
    if (!isChanged) continue;
    const path = childPath(folder, name);
    if (!isTreeFile(path)) changed.push({ path, updated: updated ?? formatLocalTime(mtime) });
  }
  return changed.toSorted((a, b) => b.updated.localeCompare(a.updated) || comparePaths(a, b));
}

/** Excludes questions, raw material and past events: the tasks in them are in other notes, too, or done. */
export function hasOwnTasks(path: VaultPath, layout: Layout): boolean {
  return (
    !layout.isInInbox(path) && !layout.isInBucket(path) && !layout.isChangelog(path) && !isTreeFile(path)
  );
}

function listFor(
  { form, state, when, invalidDay }: StoredTask,
  day: string,
): Exclude<keyof Today, 'day' | 'changed'> | null {
  if (invalidDay !== undefined) return 'invalid';
  if (state === 'waiting') return 'waiting';
  if (when === null) return null;
  if (when.day < day) return form === 'line' ? null : 'overdue';
  if (when.day > addDays(day, upcomingDays)) return 'later';
  if (form === 'line' || when.time !== null) return 'appointments';
  return when.day === day ? 'due' : 'upcoming';
}

function byPriority(a: TodayItem, b: TodayItem): number {
  return a.priority - b.priority || byDay(a, b);
}

function byDay(a: TodayItem, b: TodayItem): number {
  return sortKey(a).localeCompare(sortKey(b)) || comparePaths(a, b) || a.lineNumber - b.lineNumber;
}

/** Items without a day come last. */
function sortKey({ when }: TodayItem): string {
  return when === null ? '9999' : `${when.day} ${when.time ?? ''}`;
}

function comparePaths(a: { path: VaultPath }, b: { path: VaultPath }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
