import type { Database } from 'better-sqlite3';
import { createApprovals } from './approvals.ts';
import type { Approvals } from './approvals.ts';
import { createExternalEditStore } from './external-edit-store.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { createHistoryPosition } from './history-position.ts';
import type { HistoryPosition } from './history-position.ts';
import { createListing } from './listing.ts';
import type { Listing } from './listing.ts';
import { createProvenance } from './provenance.ts';
import type { Provenance } from './provenance.ts';
import { createRemovalAccounting } from './removal-accounting.ts';
import type { RemovalAccounting } from './removal-accounting.ts';
import { createTransactionStates } from './transaction-states.ts';
import type { TransactionStates } from './transaction-states.ts';
import { createTransactionStore } from './transaction-store.ts';
import type { TransactionStore } from './transaction-store.ts';
import { createUndoLinks } from './undo-links.ts';
import type { UndoLinks } from './undo-links.ts';

/**
 * Every change to the vault, written down durably before the first file is touched. It is what a start after a
 * crash completes, and what history and undo are made from. Each store has its own statements over the one database; who needs
 * only some of them asks for those.
 */
export type Journal = TransactionStore &
  TransactionStates &
  Approvals &
  Provenance &
  UndoLinks &
  RemovalAccounting &
  ExternalEditStore &
  HistoryPosition &
  Listing;

/** `confirm` throws when the database is no longer the one that the next start will find. */
export function createJournal(database: Database, confirm: () => void = () => undefined): Journal {
  const { states, commitWithStates } = createTransactionStates(database);
  const flush = (): void => states.flush();
  const undoLinks = createUndoLinks(database);
  return {
    ...createTransactionStore(database, { flush, commitWithStates, confirm }),
    ...states,
    ...createApprovals(database, flush, confirm),
    ...createProvenance(database),
    ...undoLinks,
    ...createRemovalAccounting(database, flush, undoLinks),
    ...createExternalEditStore(database, { flush, confirm, undoLinks }),
    ...createHistoryPosition(database, flush),
    ...createListing(database, flush),
  };
}
