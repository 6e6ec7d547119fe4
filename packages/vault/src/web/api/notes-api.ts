import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type TaskItem = z.output<typeof api.tasks>['tasks'][number];
export type TaskStatus = TaskItem['status'];
export type TaskQuery = Partial<Pick<z.output<typeof api.tasksQuery>, 'status' | 'folder' | 'due' | 'limit'>>;
export type TaskChanged = z.output<typeof api.taskChangeResponse>;
export type TaskSet = z.input<typeof api.taskChangeRequest>['set'];
export type VaultDay = z.output<typeof api.days>['days'][number];

/** Lists what the notes contain: tasks, tags, days and mentions. */
export function createNotesApi({ get, post }: Http) {
  return {
    tasks: (query: TaskQuery, signal?: AbortSignal) => get(api.tasks, `/tasks?${toQuery(query)}`, signal),
    /** Changes a task as it was listed. Fails if it is different in its note. */
    changeTask: ({ path, line, title, status, priority, day }: TaskItem, set: TaskSet) =>
      post(api.taskChangeResponse, '/tasks/change', {
        path,
        line,
        expected: { title, status, priority, day },
        set,
      }),
    /** Completes or reopens the task in this line of a note. */
    tickTask: (path: string, line: number, text: string, isDone: boolean) =>
      post(api.taskChangeResponse, '/tasks/change', {
        path,
        line,
        expected: { text },
        set: { status: isDone ? 'done' : 'todo' },
      }),
    tags: (tag: string | undefined, signal?: AbortSignal) =>
      get(api.tags, `/tags?${toQuery({ tag })}`, signal),
    list: (signal?: AbortSignal) => get(api.notes, '/notes?limit=8', signal),
    days: (from: string, to: string, signal?: AbortSignal) =>
      get(api.days, `/days?${toQuery({ from, to })}`, signal),
    mentions: (path: string, signal?: AbortSignal) =>
      get(api.mentions, `/mentions?${toQuery({ path, limit: 20 })}`, signal),
  };
}

function toQuery(values: Record<string, string | number | undefined>): string {
  const present = Object.entries(values).filter(([, value]) => value !== undefined);
  return new URLSearchParams(present.map(([key, value]) => [key, String(value)])).toString();
}
