import type { Clock } from '../contract/index.ts';
import { commitBatch } from './commit-batch.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { locateCommits, adoptOrphanedCommits } from './find-commits.ts';
import type { HistoryPosition } from './history-position.ts';
import { placeBatch } from './place-batch.ts';
import type { UnplacedEdits } from './place-batch.ts';
import type { HistorySession } from './history-repository.ts';
import type { TransactionStore } from './transaction-store.ts';

/**
 * Commits the transactions of the journal and the unplaced edits to git. Returns false if the journal has changed since
 * these edits were read: they are left out, and the caller has to read them again.
 */
export type RecordJournal = (session: HistorySession, unplaced?: UnplacedEdits) => Promise<boolean>;

/** The number of transactions that are committed together. */
const batchSize = 100;
/** The most commits one batch can add: each transaction may be preceded by an external edit. */
const maxOrphanedCommits = 2 * batchSize + 1;
const maxUncommitted = 100_000;

export function createJournalRecorder(
  journal: TransactionStore & ExternalEditStore & HistoryPosition,
  clock: Clock,
): RecordJournal {
  /** The newest commit, if the journal knows it and all commits before it. */
  let knownTip: string | null = null;
  const recordBatch = async (
    session: HistorySession,
    unplaced: UnplacedEdits | undefined,
  ): Promise<boolean> => {
    const entries = journal.listUncommitted(batchSize);
    if (entries.length === 0 && (unplaced === undefined || unplaced.files.length === 0)) return true;
    const dependencies = { ...session, journal, clock };
    const placed = await placeBatch(dependencies, entries, unplaced ?? null);
    await commitBatch(dependencies, placed.batch);
    return placed.arePlaced;
  };
  return async (session, unplaced) => {
    await locateCommits(journal, session.git);
    if (knownTip === null || session.git.tip() !== knownTip)
      await adoptOrphanedCommits({ ...session, journal }, maxOrphanedCommits);
    // Limited to the entries present now: otherwise a caller could wait for as long as others keep writing.
    const count = journal.listUncommitted(maxUncommitted).length;
    const isPlaced = await recordBatch(session, unplaced);
    // If the unplaced edits were left out, the caller reads them again before more batches are recorded.
    if (isPlaced)
      for (let done = batchSize; done < count; done += batchSize) await recordBatch(session, undefined);
    knownTip = session.git.tip();
    return isPlaced;
  };
}
