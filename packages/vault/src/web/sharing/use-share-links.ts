import { useMutation, useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useShareText } from './share-text.ts';

/** The links that the viewer may manage, and how to end one. */
export function useShareLinks() {
  const { api, client, toasts } = useServices();
  const text = useShareText();
  const { data, error } = useQuery({
    queryKey: ['share-links'],
    queryFn: ({ signal }) => api.sharing.list(signal),
  });
  const refetch = (): Promise<void> => client.invalidateQueries({ queryKey: ['share-links'] });
  const revoke = useMutation({
    mutationFn: (id: string) => api.sharing.revoke(id),
    onSuccess: () => {
      toasts.show(text.revoked);
      return refetch();
    },
    onError: toasts.showError,
  });
  return { links: data?.links, isLocal: data?.isLocal, error, revoke, refetch };
}
