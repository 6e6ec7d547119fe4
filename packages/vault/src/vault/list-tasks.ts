import { addDays } from '../contract/index.ts';
import { taskStatus } from './change-task.ts';
import type { TaskStatus } from './change-task.ts';
import { findFile } from './find-entry.ts';
import { parentPath, pathSegments } from './path.ts';
import type { VaultPath } from './path.ts';
import type { StoredTask } from './tasks.ts';
import { hasOwnTasks } from './today.ts';
import type { VaultView } from './vault-view.ts';

export type ListedTask = Omit<StoredTask, 'state' | 'isStarted'> & { path: VaultPath; status: TaskStatus };

export type TaskFilter = {
  /** Null for all that are unfinished. */
  status: TaskStatus | null;
  /** Only tasks of notes in this folder, or of this note. */
  folder: VaultPath | null;
  due: 'overdue' | 'today' | 'week' | 'later' | 'none' | null;
  /** The maximum number of tasks; the others are counted. */
  limit: number;
};

export type TaskList = {
  /** By deadline, those without one last, then by priority. */
  tasks: ListedTask[];
  /** How many tasks match. */
  found: number;
  /** The projects and other folders or notes at the top that contain unfinished tasks, whatever the filter, with their number. */
  folders: { path: VaultPath; tasks: number }[];
};

/** Collects the tasks of all notes from the catalogue, without reading any note. */
export async function listTasks(
  view: Pick<VaultView, 'contents' | 'findTasks' | 'layout'>,
  day: string,
  { status, folder, due, limit }: TaskFilter,
): Promise<TaskList> {
  const [contents, layout] = [await view.contents(), view.layout()];
  const matching: ListedTask[] = [];
  const folders = new Map<VaultPath, number>();
  for (const group of ['dated', 'other'] as const)
    for (const { path, tasks } of await view.findTasks(group)) {
      if (!hasOwnTasks(path, layout) || findFile(contents, path) === undefined) continue;
      const isInside = folder === null || path === folder || path.startsWith(`${folder}/`);
      const place = placeOf(path, layout.projectsPath);
      for (const { state, isStarted, ...task } of tasks) {
        if (task.form === 'line') continue;
        const own = taskStatus({ state, isStarted });
        const isOpen = own !== 'done' && own !== 'cancelled';
        if (isOpen) folders.set(place, (folders.get(place) ?? 0) + 1);
        if (!isInside || (status === null ? !isOpen : own !== status)) continue;
        if (due === null || dueOf(task, day) === due) matching.push({ ...task, path, status: own });
      }
    }
  return {
    tasks: matching.toSorted(compareTasks).slice(0, limit),
    found: matching.length,
    folders: [...folders]
      .map(([path, tasks]) => ({ path, tasks }))
      .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
  };
}

/** The project of a note, otherwise the first folder, otherwise the note itself. */
function placeOf(path: VaultPath, projectsPath: VaultPath): VaultPath {
  const depth = path.startsWith(`${projectsPath}/`) ? pathSegments(projectsPath).length + 1 : 1;
  let place = path;
  while (pathSegments(place).length > depth) place = parentPath(place);
  return place;
}

function dueOf({ when }: Pick<StoredTask, 'when'>, day: string): TaskFilter['due'] {
  if (when === null) return 'none';
  if (when.day < day) return 'overdue';
  if (when.day === day) return 'today';
  return when.day <= addDays(day, 7) ? 'week' : 'later';
}

function compareTasks(a: ListedTask, b: ListedTask): number {
  const [dayA, dayB] = [a.when?.day ?? '9999', b.when?.day ?? '9999'];
  if (dayA !== dayB) return dayA < dayB ? -1 : 1;
  if (a.priority !== b.priority) return a.priority - b.priority;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.lineNumber - b.lineNumber;
}
