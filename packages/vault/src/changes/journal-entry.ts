import type { VaultPath } from '../vault/index.ts';

/**
 * `applying` until every file is written, then `applied`; `reverted` when a conflict or an error stopped it. `held` waits
 * for the user's decision: an approved transaction is `applied` under a new id, a rejected one is `rejected`.
 */
export type JournalState = 'applying' | 'applied' | 'reverted' | 'held' | 'approved' | 'rejected';

export type JournalEntry = {
  id: string;
  at: number;
  origin: string;
  summary: string;
  state: JournalState;
};

/** The columns of `transactions` that make up a `JournalEntry`. */
export const entryColumns = 'id, at, origin, summary, state';

/** The origin of edits by other programs. */
export const externalOrigin = 'outside';
/** The origin of edits from another machine, and of changes that merge the versions of several machines. */
export const syncOrigin = 'sync';

/**
 * A file with an external edit. `before` is its blob in history, null when there was none. `wasSynced`: another machine is
 * known to have written it.
 */
export type ExternalFileEdit = {
  path: VaultPath;
  before: string | null;
  after: Buffer | null;
  wasSynced?: boolean;
  /** The content of the blob `before`, if it was read. */
  previousContent?: Buffer | null;
};

export type TimeRange = { from: number; to: number };
