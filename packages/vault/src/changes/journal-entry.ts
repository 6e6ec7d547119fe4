import type { VaultPath } from '../vault/index.ts';

/**
 * `applying` until every file is as wanted, then `applied`; `reverted` when that met a conflict. `held` waits for a
 * person, who lets it be `applied` under an id of its own or has it `rejected`.
 */
export type JournalState = 'applying' | 'applied' | 'reverted' | 'held' | 'approved' | 'rejected';

export type JournalEntry = {
  id: string;
  at: number;
  origin: string;
  summary: string;
  state: JournalState;
};

/** The columns of `transactions` that are an entry. */
export const entryColumns = 'id, at, origin, summary, state';

/** Of edits that others made. */
export const outsideOrigin = 'outside';
/** Of what another machine wrote, and of changes that bring together what machines have made of a file. */
export const syncOrigin = 'sync';

/**
 * A file that was edited outside; `before` is the blob of history that it was, null when there was none. `isBrought` when it is known
 * that another machine wrote it.
 */
export type FoundFile = {
  path: VaultPath;
  before: string | null;
  after: Buffer | null;
  isBrought?: boolean;
  /** What `before` is the blob of, where that was read. */
  stood?: Buffer | null;
};

export type Span = { from: number; to: number };
