import { LimitError } from '../contract/index.ts';
import type { ReadLimits } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';

/** Search for those who come from outside: only so many at the same time. */
export function limitSearches(
  engine: Pick<SearchEngine, 'search'>,
  limits: ReadLimits,
): Pick<SearchEngine, 'search'> {
  let searching = 0;
  return {
    async search(...request) {
      const { searches: most = Infinity } = limits();
      if (searching >= most) throw new LimitError('searches', most, 1);
      searching += 1;
      try {
        return await engine.search(...request);
      } finally {
        searching -= 1;
      }
    },
  };
}
