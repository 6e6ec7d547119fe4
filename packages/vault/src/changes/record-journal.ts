import type { Clock } from '../contract/index.ts';
import { commitBatch } from './commit-batch.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { locate, takeLeft } from './find-commits.ts';
import type { HistoryPosition } from './history-position.ts';
import { placeBatch } from './place-batch.ts';
import type { LooseEdits } from './place-batch.ts';
import type { HistorySession } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';

/** Moves into git what the journal has, and these edits with it; false when they came too late and have to be read again. */
export type RecordJournal = (session: HistorySession, loose?: LooseEdits) => Promise<boolean>;

/** Transactions that go into history together. */
const batch = 100;
/** What one batch can add: each may have met an edit made outside. */
const mostLeft = 2 * batch + 1;
const mostTogether = 100_000;

export function createJournalRecorder(
  journal: TransactionStore & ExternalEditStore & HistoryPosition,
  clock: Clock,
): RecordJournal {
  /** The newest commit, when the journal knows of it and of all before it. */
  let knownTip: string | null = null;
  const recordBatch = async (session: HistorySession, loose: LooseEdits | undefined): Promise<boolean> => {
    const entries = journal.unrecorded(batch);
    if (entries.length === 0 && (loose === undefined || loose.files.length === 0)) return true;
    const parts = { ...session, journal, clock };
    const placed = await placeBatch(parts, entries, loose ?? null);
    await commitBatch(parts, placed.batch);
    return placed.isLoosePlaced;
  };
  return async (session, loose) => {
    await locate(journal, session.git);
    if (knownTip === null || session.git.tip() !== knownTip)
      await takeLeft({ ...session, journal }, mostLeft);
    // Not until nothing is left: others may go on writing for as long as somebody waits for this.
    const count = journal.unrecorded(mostTogether).length;
    const isPlaced = await recordBatch(session, loose);
    // What came too late is read again first.
    if (isPlaced) for (let done = batch; done < count; done += batch) await recordBatch(session, undefined);
    knownTip = session.git.tip();
    return isPlaced;
  };
}
