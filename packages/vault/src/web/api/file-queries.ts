import { queryOptions } from '@tanstack/react-query';
import { treeSteps } from '../tree/build-tree.ts';
import type { Api } from './client.ts';
import { pollFiles } from './poll-files.ts';
import { runInSlices } from './run-in-slices.ts';

export function createFileQueries(api: Api['files']) {
  return {
    tree: queryOptions({
      queryKey: ['tree'],
      queryFn: async ({ signal }) => {
        const entries = await api.tree(signal);
        return runInSlices(treeSteps(entries));
      },
      // Comparing 10,000 entries to reuse equal ones would cost more than it saves.
      structuralSharing: false,
      refetchOnWindowFocus: 'always',
    }),
    today: queryOptions({
      queryKey: ['today'],
      queryFn: ({ signal }) => api.today(signal),
      refetchOnWindowFocus: 'always',
    }),
    projects: queryOptions({
      queryKey: ['projects'],
      queryFn: ({ signal }) => api.projects(signal),
      refetchOnWindowFocus: 'always',
    }),
    get: (path: string) =>
      queryOptions({
        queryKey: ['file', path],
        queryFn: ({ signal }) => api.get(path, signal),
        ...pollFiles,
      }),
    /** The lines of this version of a file. */
    text: (path: string, etag: string) =>
      queryOptions({
        queryKey: ['text', path, etag],
        queryFn: ({ signal }) => api.text(path, signal),
        staleTime: Infinity,
        // The reason why there is no text stays the same.
        retry: false,
        retryOnMount: false,
      }),
    backlinks: (path: string) =>
      queryOptions({ queryKey: ['backlinks', path], queryFn: ({ signal }) => api.backlinks(path, signal) }),
  };
}
