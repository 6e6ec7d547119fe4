import type { Revision, Transaction, VaultPath, VaultView } from '../vault/index.ts';

/** How much one result may hold. */
export type Bounds = { tokens: number; images: number };

/** What a model can take in. */
export const modelBounds: Bounds = { tokens: 20_000, images: 20 };

/** A person can scroll; this only keeps a whole vault from being held in memory. */
export const personBounds: Bounds = { tokens: 10_000_000, images: 100 };

/** What a series of tool calls shares: one per agent run, per batch, per connection. */
export type Run = {
  view: VaultView;
  /** Every file read so far with the revision that was shown: what may be edited is decided by it. */
  filesRead: Map<VaultPath, Revision>;
  bounds: Bounds;
};

/** A run that may change files: its view is that of the transaction. */
export type WriteRun = Run & { transaction: Transaction };

function createRun(view: VaultView, bounds: Bounds): Run {
  return { view, filesRead: new Map(), bounds };
}

export function createWriteRun(transaction: Transaction, bounds: Bounds): WriteRun {
  return { ...createRun(transaction.view, bounds), transaction };
}
