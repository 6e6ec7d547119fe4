import { LimitError } from '../contract/index.ts';
import type { GetLimits } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';

/** Limits the number of concurrent searches by external clients; throws a LimitError beyond it. */
export function limitSearches(
  engine: Pick<SearchEngine, 'search' | 'readDocument' | 'hasEmbedder'>,
  limits: GetLimits,
): Pick<SearchEngine, 'search' | 'readDocument' | 'hasEmbedder'> {
  let searching = 0;
  return {
    readDocument: engine.readDocument,
    hasEmbedder: engine.hasEmbedder,
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
