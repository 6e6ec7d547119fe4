import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry } from './journal-entry.ts';

export type Located = { id: string; commit: string | null };

/** Which transactions are in history, and in which commits. */
export type HistoryPosition = {
  /** Applied and not yet in history, oldest first. */
  unrecorded(limit: number): JournalEntry[];
  /** The files of all transactions that are not in history, also of those that are being applied. */
  unrecordedPaths(): Set<VaultPath>;
  /** History has these, in commits with these hashes: their bytes are no longer needed here. */
  setRecorded(recorded: readonly Located[]): void;
  /** The hash of a transaction's commit; null when it has none, or none that is known. */
  commitOf(id: string): string | null;
  /** The commits of all transactions that are in history. */
  commits(): string[];
  /** In history since before hashes were kept, and not looked for yet. */
  unlocated(): JournalEntry[];
  /** Where those are; null for one that is not in history. */
  setLocated(located: readonly Located[]): void;
};

/** As the hash of a commit that was looked for and is not there. */
const notInHistory = '';

export function createHistoryPosition(database: Database, flush: () => void): HistoryPosition {
  const selectUnrecorded = database.prepare(
    `select ${entryColumns} from transactions where state = 'applied' and recorded = 0
     order by coalesce(precedes, seq), precedes is null, seq limit ?`,
  );
  const selectUnrecordedPaths = database
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
  const selectUnlocated = database.prepare(
    `select ${entryColumns} from transactions where recorded = 1 and commit_hash is null order by seq`,
  );
  const forgetBytes = database.prepare(
    'update changes set before = null, after = null where transaction_seq = (select seq from transactions where id = ?)',
  );
  const record = database.prepare('update transactions set recorded = 1 where id = ?');
  const locate = database.prepare('update transactions set commit_hash = @commit where id = @id');
  const setLocated = database.transaction((located: readonly Located[]) => {
    for (const { id, commit } of located) locate.run({ id, commit: commit ?? notInHistory });
  });
  const setRecorded = database.transaction((recorded: readonly Located[]) => {
    for (const { id } of recorded) {
      forgetBytes.run(id);
      record.run(id);
    }
    setLocated(recorded);
  });
  return {
    unrecorded(limit) {
      flush();
      return selectUnrecorded.all(limit) as JournalEntry[];
    },
    unrecordedPaths() {
      flush();
      return new Set(selectUnrecordedPaths.all() as VaultPath[]);
    },
    setRecorded: (recorded) => setRecorded.immediate(recorded),
    commitOf: (id) => (selectCommit.get(id) as string | null | undefined) || null,
    commits: () => selectCommits.all(notInHistory) as string[],
    unlocated: () => selectUnlocated.all() as JournalEntry[],
    setLocated: (located) => setLocated.immediate(located),
  };
}
