import { queryOptions } from '@tanstack/react-query';
import type { Api } from './client.ts';
import type { ChangeFilter } from './history-api.ts';
import { mergeChangePages } from './merge-change-pages.ts';
import type { ChangePage } from './merge-change-pages.ts';
import { lastAuthors, lastTimes } from './last-changes.ts';
import { pollFiles } from './poll-files.ts';

/** Of 60 changes each. */
const maxReplayedPages = 5;

/**
 * Lists that show edits by other programs are polled, because such edits are added to history later and without an
 * event.
 */
export function createHistoryQueries(api: Api['history']) {
  return {
    ofFile: (path: string) =>
      queryOptions({
        queryKey: ['history', path],
        queryFn: ({ signal }) => api.ofFile(path, signal),
        ...pollFiles,
      }),
    /** The last author of each file, as far as the latest 500 changes show. */
    authors: queryOptions({
      queryKey: ['recent', 'authors'],
      queryFn: async ({ signal }) => lastAuthors((await api.latest(signal)).changes),
      structuralSharing: false,
    }),
    /** The time of the last change of each recently changed file, regardless of its frontmatter. */
    recent: queryOptions({
      queryKey: ['recent'],
      queryFn: async ({ signal }) => lastTimes((await api.recent(signal)).changes),
      structuralSharing: false,
      refetchInterval: 30_000,
    }),
    /** All pages loaded so far. A refetch loads only the newest page and merges it. */
    changes: (filter: ChangeFilter) => {
      const queryKey = ['changes', filter];
      return queryOptions({
        queryKey,
        queryFn: async ({ signal, client }): Promise<ChangePage> =>
          mergeChangePages(await api.changes(filter, null, signal), client.getQueryData(queryKey)),
        structuralSharing: false,
        refetchInterval: 10_000,
        refetchOnWindowFocus: 'always',
      });
    },
    /** The changes of a day, oldest first. */
    day: (filter: ChangeFilter & { day: string }) =>
      queryOptions({
        queryKey: ['changes-of-day', filter],
        queryFn: async ({ signal }) => {
          const found: ChangePage['changes'] = [];
          for (let after: string | null = null, page = 0; page < maxReplayedPages; page += 1) {
            const { changes, next } = await api.changes(filter, after, signal);
            found.push(...changes);
            if (next === null) break;
            after = next;
          }
          return found.toReversed();
        },
        // The list stays as it is while it is played.
        refetchOnWindowFocus: false,
      }),
    days: queryOptions({
      queryKey: ['days'],
      queryFn: ({ signal }) => api.days(signal),
      refetchOnWindowFocus: 'always',
    }),
    /** A change with the diff of one file or, without `path`, of all files. */
    change: (id: string, path?: string) =>
      queryOptions({
        queryKey: ['change', id, path ?? null],
        queryFn: ({ signal }) => api.change(id, path, signal),
      }),
  };
}
