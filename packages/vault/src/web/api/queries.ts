import { queryOptions } from '@tanstack/react-query';
import type { Api } from './client.ts';
import { createFileQueries } from './file-queries.ts';
import { createNoteQueries } from './note-queries.ts';
import { createHistoryQueries } from './history-queries.ts';
import { pollFiles } from './poll-files.ts';

/** The queries of the views, by subject. Events invalidate them by their keys (`live/event-bridge.ts`). */
export function createQueries(api: Api) {
  return {
    status: queryOptions({ queryKey: ['status'], queryFn: ({ signal }) => api.status(signal) }),
    files: createFileQueries(api.files),
    notes: createNoteQueries(api.notes),
    history: createHistoryQueries(api.history),
    inbox: queryOptions({
      queryKey: ['inbox'],
      queryFn: ({ signal }) => api.inbox.list(signal),
      refetchOnWindowFocus: 'always',
    }),
    updates: {
      list: queryOptions({ queryKey: ['updates'], queryFn: ({ signal }) => api.updates.list(signal) }),
      get: (id: string) =>
        queryOptions({ queryKey: ['updates', id], queryFn: ({ signal }) => api.updates.get(id, signal) }),
    },
    answers: {
      list: queryOptions({ queryKey: ['answers'], queryFn: ({ signal }) => api.answers.list(signal) }),
      get: (id: string) =>
        queryOptions({ queryKey: ['answers', id], queryFn: ({ signal }) => api.answers.get(id, signal) }),
      verify: (document: string) =>
        queryOptions({
          queryKey: ['verify', document],
          queryFn: ({ signal }) => api.answers.verify(document, signal),
          ...pollFiles,
        }),
    },
  };
}

export type Queries = ReturnType<typeof createQueries>;
