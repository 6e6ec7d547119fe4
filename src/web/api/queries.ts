import { queryOptions } from '@tanstack/react-query';
import type { Api } from './client.ts';
import type { Change, ChangeFilter } from './history-api.ts';
import { joinChanges } from './join-changes.ts';
import type { ChangeList } from './join-changes.ts';
import { buildTree } from '../tree/build-tree.ts';

/** For what others may change outside; an answer of 304 costs little. Only while the page is looked at. */
const lookAgain = { refetchInterval: 4_000, refetchOnWindowFocus: 'always' } as const;

/** What is shown, under the names by which events make it be read anew. */
export function createQueries(api: Api) {
  return {
    status: queryOptions({ queryKey: ['status'], queryFn: ({ signal }) => api.status(signal) }),
    tree: queryOptions({
      queryKey: ['tree'],
      queryFn: async ({ signal }) => {
        const { entries } = await api.files.tree(signal);
        // Reading and building 10,000 entries in one go would make scrolling stutter.
        await new Promise((resume) => setTimeout(resume));
        return buildTree(entries);
      },
      // A tree is compared by identity: going through 10,000 entries to keep equal ones costs more than it saves.
      structuralSharing: false,
      refetchOnWindowFocus: 'always',
    }),
    inbox: queryOptions({
      queryKey: ['inbox'],
      queryFn: ({ signal }) => api.inbox.list(signal),
      refetchOnWindowFocus: 'always',
    }),
    updates: queryOptions({ queryKey: ['updates'], queryFn: ({ signal }) => api.updates.list(signal) }),
    update: (id: string) =>
      queryOptions({ queryKey: ['updates', id], queryFn: ({ signal }) => api.updates.get(id, signal) }),
    file: (path: string) =>
      queryOptions({
        queryKey: ['file', path],
        queryFn: ({ signal }) => api.files.get(path, signal),
        ...lookAgain,
      }),
    backlinks: (path: string) =>
      queryOptions({
        queryKey: ['backlinks', path],
        queryFn: ({ signal }) => api.files.backlinks(path, signal),
      }),
    history: (path: string) =>
      queryOptions({
        queryKey: ['history', path],
        queryFn: ({ signal }) => api.history.ofFile(path, signal),
        // What was edited outside is in it a while later, and no event tells when.
        ...lookAgain,
      }),
    /** Who changed each file last, as far back as the latest 500 changes know. */
    authors: queryOptions({
      queryKey: ['recent', 'authors'],
      queryFn: async ({ signal }) => {
        const { changes } = await api.history.latest(signal);
        const authors = new Map<string, Change['who']['kind']>();
        for (const { paths, state, who } of changes)
          for (const path of state === 'applied' ? paths.map((each) => each.replace(/^vault\//, '')) : [])
            if (!authors.has(path)) authors.set(path, who.kind);
        return authors;
      },
      structuralSharing: false,
    }),
    /** When each of the files that were changed lately was, whoever did it and whatever it says of itself. */
    recent: queryOptions({
      queryKey: ['recent'],
      queryFn: async ({ signal }) => {
        const { changes } = await api.history.recent(signal);
        const times = new Map<string, number>();
        for (const { at, paths, state } of changes)
          for (const path of state === 'applied' ? paths.map((each) => each.replace(/^vault\//, '')) : [])
            times.set(path, Math.max(times.get(path) ?? 0, at));
        return times;
      },
      structuralSharing: false,
      // What was edited outside is in history a while later, and no event tells when.
      refetchInterval: 30_000,
    }),
    /** All that was listed so far; only the newest are asked for anew. */
    changes: (filter: ChangeFilter) => {
      const queryKey = ['changes', filter];
      return queryOptions({
        queryKey,
        queryFn: async ({ signal, client }): Promise<ChangeList> =>
          joinChanges(await api.history.changes(filter, null, signal), client.getQueryData(queryKey)),
        structuralSharing: false,
        // What was edited outside is in it a while later, and no event tells when.
        refetchInterval: 10_000,
        refetchOnWindowFocus: 'always',
      });
    },
    projects: queryOptions({
      queryKey: ['projects'],
      queryFn: ({ signal }) => api.files.projects(signal),
      refetchOnWindowFocus: 'always',
    }),
    days: queryOptions({
      queryKey: ['days'],
      queryFn: ({ signal }) => api.history.days(signal),
      refetchOnWindowFocus: 'always',
    }),
    /** With the diff of one file, or of all. */
    change: (id: string, path?: string) =>
      queryOptions({
        queryKey: ['change', id, path ?? null],
        queryFn: ({ signal }) => api.history.change(id, path, signal),
      }),
    answers: queryOptions({ queryKey: ['answers'], queryFn: ({ signal }) => api.answers.list(signal) }),
    answer: (id: string) =>
      queryOptions({ queryKey: ['answers', id], queryFn: ({ signal }) => api.answers.get(id, signal) }),
    verify: (document: string) =>
      queryOptions({
        queryKey: ['verify', document],
        queryFn: ({ signal }) => api.answers.verify(document, signal),
        ...lookAgain,
      }),
  };
}

export type Queries = ReturnType<typeof createQueries>;
