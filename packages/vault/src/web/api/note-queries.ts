import { queryOptions } from '@tanstack/react-query';
import type { Api } from './client.ts';
import type { TaskQuery } from './notes-api.ts';

export function createNoteQueries(api: Api['notes']) {
  return {
    tasks: (query: TaskQuery) =>
      queryOptions({
        queryKey: ['tasks', query],
        queryFn: ({ signal }) => api.tasks(query, signal),
        refetchOnWindowFocus: 'always',
      }),
    tags: (tag: string | undefined) =>
      queryOptions({ queryKey: ['tags', tag ?? null], queryFn: ({ signal }) => api.tags(tag, signal) }),
    list: queryOptions({ queryKey: ['notes'], queryFn: ({ signal }) => api.list(signal) }),
    days: (from: string, to: string) =>
      queryOptions({
        queryKey: ['calendar', from, to],
        queryFn: ({ signal }) => api.days(from, to, signal),
      }),
    mentions: (path: string) =>
      queryOptions({ queryKey: ['mentions', path], queryFn: ({ signal }) => api.mentions(path, signal) }),
  };
}
