import { useMutation, useQuery } from '@tanstack/react-query';
import type { Change, ChangeFilter } from '../api/history-api.ts';
import type { ChangePage } from '../api/merge-change-pages.ts';
import { useServices } from '../shell/services.ts';

type Changes = {
  /** Undefined until the first page is loaded. */
  changes: readonly Change[] | undefined;
  error: Error | null;
  /** Requests the next page; null if there is none or it is already loading. */
  loadMore: (() => void) | null;
};

/** The changes loaded so far, newest first. */
export function useChanges(filter: ChangeFilter): Changes {
  const { api, client, queries, toasts } = useServices();
  const query = queries.history.changes(filter);
  const { data, error } = useQuery(query);
  const older = useMutation({
    mutationFn: (after: string) => api.history.changes(filter, after),
    onSuccess: (page, after) =>
      client.setQueryData<ChangePage>(query.queryKey, (known) =>
        known?.next === after ? { changes: [...known.changes, ...page.changes], next: page.next } : known,
      ),
    onError: toasts.showError,
  });
  const next = data?.next ?? null;
  return {
    changes: data?.changes,
    error,
    loadMore: next === null || older.isPending || older.isError ? null : () => older.mutate(next),
  };
}
