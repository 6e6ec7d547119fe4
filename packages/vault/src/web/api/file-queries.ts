import { queryOptions } from '@tanstack/react-query';
import { buildTree } from '../tree/build-tree.ts';
import type { Api } from './client.ts';
import { pollFiles } from './poll-files.ts';

export function createFileQueries(api: Api['files']) {
  return {
    tree: queryOptions({
      queryKey: ['tree'],
      queryFn: async ({ signal }) => {
        const { entries } = await api.tree(signal);
        // Yields to the browser, because parsing and building 10,000 entries in one task would make scrolling stutter.
        await new Promise((resume) => setTimeout(resume));
        return buildTree(entries);
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
    backlinks: (path: string) =>
      queryOptions({ queryKey: ['backlinks', path], queryFn: ({ signal }) => api.backlinks(path, signal) }),
  };
}
