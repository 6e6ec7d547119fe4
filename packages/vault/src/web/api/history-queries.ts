import { queryOptions } from '@tanstack/react-query';
import type { Api } from './client.ts';
import type { ChangeFilter } from './history-api.ts';
import { joinChanges } from './join-changes.ts';
import type { ChangeList } from './join-changes.ts';
import { lastAuthors, lastTimes } from './last-changes.ts';
import { pollFiles } from './poll-files.ts';

/** Lists are polled where they show edits by other programs: those enter history a while later, and no event reports it. */
export function createHistoryQueries(api: Api['history']) {
  return {
    ofFile: (path: string) =>
      queryOptions({
        queryKey: ['history', path],
        queryFn: ({ signal }) => api.ofFile(path, signal),
        ...pollFiles,
      }),
    /** Who changed each file last, as far back as the latest 500 changes know. */
    authors: queryOptions({
      queryKey: ['recent', 'authors'],
      queryFn: async ({ signal }) => lastAuthors((await api.latest(signal)).changes),
      structuralSharing: false,
    }),
    /** When each of the files that were changed lately was, whoever did it and whatever it says of itself. */
    recent: queryOptions({
      queryKey: ['recent'],
      queryFn: async ({ signal }) => lastTimes((await api.recent(signal)).changes),
      structuralSharing: false,
      refetchInterval: 30_000,
    }),
    /** All that was listed so far; only the newest are fetched again. */
    changes: (filter: ChangeFilter) => {
      const queryKey = ['changes', filter];
      return queryOptions({
        queryKey,
        queryFn: async ({ signal, client }): Promise<ChangeList> =>
          joinChanges(await api.changes(filter, null, signal), client.getQueryData(queryKey)),
        structuralSharing: false,
        refetchInterval: 10_000,
        refetchOnWindowFocus: 'always',
      });
    },
    days: queryOptions({
      queryKey: ['days'],
      queryFn: ({ signal }) => api.days(signal),
      refetchOnWindowFocus: 'always',
    }),
    /** With the diff of one file, or of all. */
    change: (id: string, path?: string) =>
      queryOptions({
        queryKey: ['change', id, path ?? null],
        queryFn: ({ signal }) => api.change(id, path, signal),
      }),
  };
}
