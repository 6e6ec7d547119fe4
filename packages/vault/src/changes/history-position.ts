import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';

export type CommitLocation = { id: string; commit: string | null };

/** Which transactions are committed to history, and in which commits. */
export type HistoryPosition = {
  /** Transactions that are applied but not committed yet, oldest first. */
  listUncommitted(limit: number): JournalEntry[];
  /** The files of all transactions that are not committed yet, including those being applied. */
  uncommittedPaths(): Set<VaultPath>;
  /** Marks transactions as committed, with the hashes of their commits, and removes their contents from the journal. */
  markCommitted(recorded: readonly CommitLocation[]): void;
  /** The hash of a transaction's commit; null when it has none or the hash is unknown. */
  commitOf(id: string): string | null;
  /** The hashes of all committed transactions. */
  commits(): string[];
  /** Transactions that were committed before the journal stored hashes, and whose commit was not looked up yet. */
  listWithoutCommitHash(): JournalEntry[];
  /** Stores the hashes that were looked up for these transactions; null for a transaction without a commit. */
  setCommitHashes(located: readonly CommitLocation[]): void;
};

/** Stored in place of the hash of a commit that was looked up and does not exist. */
const missingCommitHash = '';

export function createHistoryPosition(database: Database, flush: () => void): HistoryPosition {
  const selectUncommitted = database.prepare(
    `select ${entryColumns} from transactions where state = 'applied' and recorded = 0
     order by coalesce(precedes, seq), precedes is null, seq limit ?`,
  );
  const selectUncommittedPaths = database
    .prepare(
      `select path from changes where transaction_seq in (
         select seq from transactions where state = 'applied' and recorded = 0
         union all select seq from transactions where state = 'applying')`,
    )
    .pluck();
  const selectCommit = database.prepare('select commit_hash from transactions where id = ?').pluck();
  const selectCommits = database
    .prepare('select commit_hash from transactions where recorded = 1 and commit_hash != ?')
    .pluck();
  const selectWithoutHash = database.prepare(
    `select ${entryColumns} from transactions where recorded = 1 and commit_hash is null order by seq`,
  );
  const clearContents = database.prepare(
    'update changes set before = null, after = null where transaction_seq = (select seq from transactions where id = ?)',
  );
  const record = database.prepare('update transactions set recorded = 1 where id = ?');
  const locate = database.prepare('update transactions set commit_hash = @commit where id = @id');
  const setHashes = database.transaction((located: readonly CommitLocation[]) => {
    for (const { id, commit } of located) locate.run({ id, commit: commit ?? missingCommitHash });
  });
  const markRecorded = database.transaction((recorded: readonly CommitLocation[]) => {
    for (const { id } of recorded) {
      clearContents.run(id);
      record.run(id);
    }
    setHashes(recorded);
  });
  return {
    listUncommitted(limit) {
      flush();
      return selectUncommitted.all(limit) as JournalEntry[];
    },
    uncommittedPaths() {
      flush();
      return new Set(selectUncommittedPaths.all() as VaultPath[]);
    },
    markCommitted: (recorded) => markRecorded.immediate(recorded),
    commitOf: (id) => (selectCommit.get(id) as string | null | undefined) || null,
    commits: () => selectCommits.all(missingCommitHash) as string[],
    listWithoutCommitHash: () => selectWithoutHash.all() as JournalEntry[],
    setCommitHashes: (located) => setHashes.immediate(located),
  };
}
