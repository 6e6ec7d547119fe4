import type { Database } from 'better-sqlite3';
import { entryColumns } from './journal-entry.ts';
import type { JournalEntry, JournalState } from './journal-entry.ts';

/** How far each transaction has come. */
export type TransactionStates = {
  /** Not synced: losing this only means that the next start looks at the files again. */
  mark(id: string, state: JournalState): void;
  /** The same, but nobody waits for it: it is written with whatever comes next, in a moment at the latest. */
  markLater(id: string, state: JournalState): void;
  /** Writes what `markLater` left; durably, where something is done next that must not be found without it. */
  flush(how?: 'durably'): void;
  /** What was begun and not marked, oldest first. */
  unfinished(): JournalEntry[];
};

/** Makes `work` one database transaction, which writes the states that `markLater` left first. */
export type CommitWithStates = <Values extends unknown[]>(
  work: (...values: Values) => void,
) => (...values: Values) => void;

/** Who reads states from the database calls `flush` before. */
export function createTransactionStates(database: Database): {
  states: TransactionStates;
  commitWithStates: CommitWithStates;
} {
  const setState = database.prepare('update transactions set state = ? where id = ?');
  const selectUnfinished = database.prepare(
    `select ${entryColumns} from transactions where state = 'applying' order by seq`,
  );
  /** Set, and not in the database yet. */
  const pending = new Map<string, JournalState>();
  const writePending = (): void => {
    for (const [id, state] of pending) setState.run(state, id);
  };
  const flush = (how?: 'durably'): void => {
    if (pending.size === 0) return;
    // Not OFF: a checkpoint that is not synced can cost the whole database when the power fails.
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
      mark(id, state) {
        pending.set(id, state);
        flush();
      },
      markLater(id, state) {
        pending.set(id, state);
        setImmediate(() => {
          try {
            flush();
          } catch {
            // Closed or failing: the next start looks at the files instead.
          }
        });
      },
      flush,
      unfinished: () => (selectUnfinished.all() as JournalEntry[]).filter(({ id }) => !pending.has(id)),
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
