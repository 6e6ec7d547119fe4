import { useMutation, useQuery } from '@tanstack/react-query';
import type { Change, ChangeFilter } from '../api/history-api.ts';
import type { ChangeList } from '../api/join-changes.ts';
import { useServices } from '../shell/services.ts';

type Changes = {
  /** Undefined until they are there. */
  changes: readonly Change[] | undefined;
  error: Error | null;
  /** Asks for those that follow; null when there are none, or they are on their way. */
  loadMore: (() => void) | null;
};

/** Changes from the newest on, as many as were asked for. */
export function useChanges(filter: ChangeFilter): Changes {
  const { api, client, queries, toasts } = useServices();
  const query = queries.history.changes(filter);
  const { data, error } = useQuery(query);
  const older = useMutation({
    mutationFn: (after: string) => api.history.changes(filter, after),
    onSuccess: (page, after) =>
      client.setQueryData<ChangeList>(query.queryKey, (known) =>
        known?.next === after ? { changes: [...known.changes, ...page.changes], next: page.next } : known,
      ),
    onError: toasts.fail,
  });
  const next = data?.next ?? null;
  return {
    changes: data?.changes,
    error,
    loadMore: next === null || older.isPending || older.isError ? null : () => older.mutate(next),
  };
}
