import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SearchResponse } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';

/** Long enough not to search for each typed letter, and too short to be noticed. */
const searchDebounceMs = 70;

/** Searches while the user types. The previous results stay until new ones arrive. */
export function useSearchResults(words: string, scope: string | null, isDeep: boolean) {
  const { api } = useServices();
  const [debounced, setDebounced] = useState({ words, scope });
  useEffect(() => {
    const timer = setTimeout(() => setDebounced({ words, scope }), searchDebounceMs);
    return () => clearTimeout(timer);
  }, [words, scope]);
  return useQuery<SearchResponse>({
    queryKey: ['search', debounced.words, debounced.scope, isDeep],
    queryFn: ({ signal }) =>
      api.files.search(
        {
          queries: [debounced.words],
          mode: isDeep ? 'deep' : 'fast',
          limit: 8,
          context: 0,
          ...(debounced.scope !== null && { scopes: [`${debounced.scope}/**`] }),
        },
        signal,
      ),
    enabled: debounced.words.length > 1,
    placeholderData: (before) => before,
    staleTime: 5_000,
    gcTime: 30_000,
  });
}
