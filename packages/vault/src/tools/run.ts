import type { Transaction } from '../changes/index.ts';
import type { SearchEngine, SearchOutcome, SearchRequest } from '../search/index.ts';
import type { VaultView } from '../vault/index.ts';
import type { Door } from './door.ts';
import { createShown } from './shown.ts';
import type { Shown } from './shown.ts';

/** How much one result may hold. */
export type Bounds = { tokens: number; images: number };

/** What a model can take in. */
export const modelBounds: Bounds = { tokens: 20_000, images: 20 };

/** A person can scroll; this only keeps a whole vault from being held in memory. */
export const personBounds: Bounds = { tokens: 10_000_000, images: 100 };

/** What a series of tool calls shares: one per agent run, per batch, per connection. */
export type Run = {
  view: VaultView;
  shown: Shown;
  bounds: Bounds;
  door: Door;
  /** Over this run's view: what a transaction has staged is found, too. */
  search: RunSearch;
};

type Engine = Pick<SearchEngine, 'search'>;

type RunSearch = (request: SearchRequest) => Promise<SearchOutcome>;

/** A run that cannot change files; one that can is not one of these, whatever else it has. */
export type ReadRun = Run & { transaction?: never };

/** A run that may change files: its view is that of the transaction. */
export type WriteRun = Run & { transaction: Transaction };

export function createReadRun(view: VaultView, bounds: Bounds, engine: Engine): ReadRun {
  return {
    view,
    shown: createShown(),
    bounds,
    door: 'tools',
    search: (request) => engine.search(request, view),
  };
}

export function createWriteRun(transaction: Transaction, bounds: Bounds, engine: Engine): WriteRun {
  const { view } = transaction;
  return {
    view,
    shown: createShown(),
    bounds,
    door: 'tools',
    search: (request) => engine.search(request, view, transaction.staged()),
    transaction,
  };
}
