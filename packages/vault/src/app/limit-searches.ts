import { LimitError } from '../contract/index.ts';
import type { GetLimits } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';

/** Limits the number of concurrent searches by external clients; throws a LimitError beyond it. */
export function limitSearches(
  engine: Pick<SearchEngine, 'search'>,
  limits: GetLimits,
): Pick<SearchEngine, 'search'> {
  let searching = 0;
  return {
    async search(...request) {
      const { searches: maxSearches = Infinity } = limits();
      if (searching >= maxSearches) throw new LimitError('searches', maxSearches, 1);
      searching += 1;
      try {
        return await engine.search(...request);
      } finally {
        searching -= 1;
      }
    },
  };
}
