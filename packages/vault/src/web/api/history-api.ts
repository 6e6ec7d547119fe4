import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import type { Http } from './http.ts';

export type Change = z.output<typeof api.history>['changes'][number];
/** Which changes are listed. */
export type ChangeFilter = Partial<
  Pick<z.output<typeof api.historyQuery>, 'who' | 'name' | 'folder' | 'kind' | 'day'>
>;
export type Days = z.output<typeof api.historyDays>;
/** What happens to lines that were edited since the change that is undone. */
export type ConflictChoice = NonNullable<z.output<typeof api.decisionRequest>['conflict']>;

/** Lists the changes of the vault, and undoes them. */
export function createHistoryApi({ get, post }: Http) {
  const id = encodeURIComponent;
  /** Days are those of the person who looks, wherever the server is. */
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return {
    ofFile: (path: string, signal?: AbortSignal) =>
      get(api.history, `/history?limit=50&path=${id(path)}`, signal),
    latest: (signal?: AbortSignal) => get(api.history, '/history?limit=500', signal),
    recent: (signal?: AbortSignal) => get(api.history, '/history?limit=20', signal),
    /** What was made, newest first; those that follow one of them. */
    changes(filter: ChangeFilter, after: string | null, signal?: AbortSignal) {
      const query = new URLSearchParams({ state: 'applied', limit: '60', timeZone });
      for (const [name, value] of Object.entries({ ...filter, after }))
        if (value != null) query.set(name, value);
      return get(api.history, `/history?${query.toString()}`, signal);
    },
    days: (signal?: AbortSignal) => get(api.historyDays, `/history/days?timeZone=${id(timeZone)}`, signal),
    /** With the diff of one file, or of all. */
    change: (one: string, path?: string, signal?: AbortSignal) =>
      get(api.changeWithDiff, `/history/${id(one)}${path === undefined ? '' : `?path=${id(path)}`}`, signal),
    restore: (one: string, path: string) => post(api.decided, `/history/${id(one)}/restore`, { path }),
    undo: (one: string, conflict?: ConflictChoice) =>
      post(api.decided, `/history/${id(one)}/undo`, { conflict }),
  };
}
