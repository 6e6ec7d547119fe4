import type { Database } from 'better-sqlite3';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry, JournalState } from './journal-entry.ts';

/** The states of transactions. */
export type TransactionStates = {
  /** Not fsynced: if it is lost, the next start derives the state from the files. */
  setState(id: string, state: JournalState): void;
  /** Like `setState`, but without waiting: the state is written with the next transaction or shortly after. */
  setStateLazily(id: string, state: JournalState): void;
  /** Writes the pending states; with fsync where the next step relies on them. */
  flush(how?: 'durably'): void;
  /** Transactions that are still being applied, oldest first. */
  listIncomplete(): JournalEntry[];
};

/** Wraps `work` in a database transaction that first writes the pending states. */
export type CommitWithStates = <Values extends unknown[]>(
  work: (...values: Values) => void,
) => (...values: Values) => void;

/** Callers that read states from the database have to call `flush` first. */
export function createTransactionStates(database: Database): {
  states: TransactionStates;
  commitWithStates: CommitWithStates;
} {
  const setState = database.prepare('update transactions set state = ? where id = ?');
  const selectUnfinished = database.prepare(
    `select ${entryColumns} from transactions where state = 'applying' order by seq`,
  );
  /** States that are not in the database yet. */
  const pending = new Map<string, JournalState>();
  const writePending = (): void => {
    for (const [id, state] of pending) setState.run(state, id);
  };
  const flush = (how?: 'durably'): void => {
    if (pending.size === 0) return;
    // Not OFF: an unsynced checkpoint can corrupt the whole database on a power loss.
    if (how !== 'durably') database.pragma('synchronous = NORMAL');
    try {
      writePending();
      pending.clear();
    } finally {
      database.pragma('synchronous = FULL');
    }
  };
  return {
    states: {
      setState(id, state) {
        pending.set(id, state);
        flush();
      },
      setStateLazily(id, state) {
        pending.set(id, state);
        setImmediate(() => {
          try {
            flush();
          } catch {
            // The database is closed or failing: the next start derives the states from the files.
          }
        });
      },
      flush,
      listIncomplete: () => (selectUnfinished.all() as JournalEntry[]).filter(({ id }) => !pending.has(id)),
    },
    commitWithStates: (work) => {
      const commit = database.transaction((...values: Parameters<typeof work>) => {
        writePending();
        work(...values);
      });
      return (...values) => {
        commit.immediate(...values);
        pending.clear();
      };
    },
  };
}
