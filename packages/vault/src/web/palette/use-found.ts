import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Found } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';

/** Long enough that a word is not searched for letter by letter; short enough not to be felt. */
const pause = 70;

/** Sections that match, as they are typed; what was found before stays until there is something new. */
export function useFound(words: string, scope: string | null, isDeep: boolean) {
  const { api } = useServices();
  const [asked, setAsked] = useState({ words, scope });
  useEffect(() => {
    const timer = setTimeout(() => setAsked({ words, scope }), pause);
    return () => clearTimeout(timer);
  }, [words, scope]);
  return useQuery<Found>({
    queryKey: ['search', asked.words, asked.scope, isDeep],
    queryFn: ({ signal }) =>
      api.files.search(
        {
          queries: [asked.words],
          mode: isDeep ? 'deep' : 'fast',
          limit: 8,
          context: 0,
          ...(asked.scope !== null && { scopes: [`${asked.scope}/**`] }),
        },
        signal,
      ),
    enabled: asked.words.length > 1,
    placeholderData: (before) => before,
    staleTime: 5_000,
    gcTime: 30_000,
  });
}
