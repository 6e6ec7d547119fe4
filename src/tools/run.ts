import type { Revision, VaultPath, VaultView } from '../vault/index.ts';

/** How much one result may hold: what a model can take in, or null for a person who can scroll. */
export type Bounds = { tokens: number; images: number };

export const modelBounds: Bounds = { tokens: 20_000, images: 20 };

/** What a series of tool calls shares: one per agent run, per batch, per connection. */
export type Run = {
  view: VaultView;
  /** Every file read so far with the revision that was shown: what may be edited is decided by it. */
  filesRead: Map<VaultPath, Revision>;
  bounds: Bounds | null;
};

export function createRun(view: VaultView, bounds: Bounds | null): Run {
  return { view, filesRead: new Map(), bounds };
}
