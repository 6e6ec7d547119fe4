import type { Database } from 'better-sqlite3';
import { createApprovals } from './approvals.ts';
import type { Approvals } from './approvals.ts';
import { createExpiredChanges } from './expired-changes.ts';
import type { ExpiredChanges } from './expired-changes.ts';
import { createExternalEditStore } from './external-edit-store.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { createHistoryPosition } from './history-position.ts';
import type { HistoryPosition } from './history-position.ts';
import { createJoinedStamps } from './joined-stamps.ts';
import type { JoinedStamps } from './joined-stamps.ts';
import { createListing } from './journal-queries.ts';
import type { JournalQueries } from './journal-queries.ts';
import { createProvenance } from './provenance.ts';
import type { Provenance } from './provenance.ts';
import { createRelocationQueries } from './relocations.ts';
import type { RelocationQueries } from './relocations.ts';
import { createRemovalAccounting } from './removal-accounting.ts';
import type { RemovalAccounting } from './removal-accounting.ts';
import { createTransactionStates } from './transaction-states.ts';
import type { TransactionStates } from './transaction-states.ts';
import { createTransactionStore } from './transaction-store.ts';
import type { TransactionStore } from './transaction-store.ts';
import { createUndoLinks } from './undo-links.ts';
import type { UndoLinks } from './undo-links.ts';

/**
 * The write-ahead journal: every change to the vault is stored durably before the first file is touched. Crash recovery,
 * history and undo are built on it. Each store has its own statements on the same database; callers ask for the stores they
 * need.
 */
export type Journal = TransactionStore &
  TransactionStates &
  Approvals &
  Provenance &
  UndoLinks &
  RemovalAccounting &
  ExternalEditStore &
  HistoryPosition &
  ExpiredChanges &
  JoinedStamps &
  JournalQueries &
  RelocationQueries;

/** `assertNotReplaced` throws when the database file was replaced: the next start would not find what is written here. */
export function createJournal(database: Database, assertNotReplaced: () => void = () => undefined): Journal {
  const { states, commitWithStates } = createTransactionStates(database);
  const flush = (): void => states.flush();
  const undoLinks = createUndoLinks(database);
  return {
    ...createTransactionStore(database, { flush, commitWithStates, assertNotReplaced }),
    ...states,
    ...createApprovals(database, flush, assertNotReplaced),
    ...createProvenance(database),
    ...undoLinks,
    ...createRemovalAccounting(database, flush, undoLinks),
    ...createExternalEditStore(database, { flush, assertNotReplaced, undoLinks }),
    ...createHistoryPosition(database, flush),
    ...createExpiredChanges(database, { flush, undoLinks }),
    ...createJoinedStamps(database),
    ...createListing(database, flush),
    ...createRelocationQueries(database, flush),
  };
}
