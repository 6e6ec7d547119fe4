import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type Change = z.output<typeof api.history>['changes'][number];
/** Which changes are listed. */
export type ChangeFilter = Partial<
  Pick<z.output<typeof api.historyQuery>, 'who' | 'name' | 'folder' | 'kind' | 'day'>
>;
export type HistoryActivity = z.output<typeof api.historyActivity>;
/** How to resolve lines that were edited after the change that is being undone. */
export type ConflictChoice = NonNullable<z.output<typeof api.decisionRequest>['conflict']>;

/** Lists the changes of the vault, and undoes them. */
export function createHistoryApi({ get, post }: Http) {
  const id = encodeURIComponent;
  /** Days are in the user's time zone, not the server's. */
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    ofFile: (path: string, signal?: AbortSignal) =>
      get(api.history, `/history?limit=50&path=${id(path)}`, signal),
    latest: (signal?: AbortSignal) => get(api.history, '/history?limit=500', signal),
    recent: (signal?: AbortSignal) => get(api.history, '/history?limit=20', signal),
    /** A page of applied changes, newest first; `after` is the `next` of the page before. */
    changes(filter: ChangeFilter, after: string | null, signal?: AbortSignal) {
      const query = new URLSearchParams({ state: 'applied', limit: '60', timeZone });
      for (const [name, value] of Object.entries({ ...filter, after }))
        if (value != null) query.set(name, value);
      return get(api.history, `/history?${query.toString()}`, signal);
    },
    days: (signal?: AbortSignal) =>
      get(api.historyActivity, `/history/days?timeZone=${id(timeZone)}`, signal),
    /** A change with the diff of one file or, without `path`, of all files. */
    change: (one: string, path?: string, signal?: AbortSignal) =>
      get(api.changeWithDiff, `/history/${id(one)}${path === undefined ? '' : `?path=${id(path)}`}`, signal),
    restore: (one: string, path: string) => post(api.changeDecision, `/history/${id(one)}/restore`, { path }),
    undo: (one: string, conflict?: ConflictChoice) =>
      post(api.changeDecision, `/history/${id(one)}/undo`, { conflict }),
  };
}
