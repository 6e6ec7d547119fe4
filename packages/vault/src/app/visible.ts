import { excludingView } from '../agents/index.ts';
import { createTransaction } from '../changes/index.ts';
import type { Changes, Policy } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { SearchEngine } from '../search/index.ts';
import { createReadRun, createWriteRun } from '../tools/index.ts';
import type { Bounds, ReadRun, WriteRun } from '../tools/index.ts';
import type { VaultView } from '../vault/index.ts';
import type { Exclusion, ReadExclusion } from './exclusion.ts';

/** A vault as far as somebody may see it, with the runs that they get over it. */
export type Visible = {
  view: VaultView;
  /** Throws when it cannot be known. */
  isExcluded: Exclusion;
  readRun: (bounds: Bounds) => ReadRun;
  writeRun: (bounds: Bounds, policy: Policy) => WriteRun;
};

type Parts = {
  view: VaultView;
  search: Pick<SearchEngine, 'search'>;
  changes: Changes;
  clock: Clock;
  /** What is hidden, asked before every look; null for nothing. */
  exclusion: ReadExclusion;
};

/** All of it, but for what is excluded at the moment of each look. */
export function openVisible({ view: whole, search, changes, clock, exclusion }: Parts): Visible {
  const view = excludingView(whole, exclusion);
  const engine: Pick<SearchEngine, 'search'> = {
    async search(request, ...rest) {
      const isExcluded = exclusion();
      return search.search(isExcluded === null ? request : { ...request, isExcluded }, ...rest);
    },
  };
  return {
    view,
    isExcluded: (path) => exclusion()?.(path) ?? false,
    readRun: (bounds) => createReadRun(view, bounds, engine),
    writeRun: (bounds, policy) =>
      createWriteRun(createTransaction(view, changes, policy, clock), bounds, engine),
  };
}
