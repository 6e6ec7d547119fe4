import type { Database } from 'better-sqlite3';
import type { JournalState } from './journal-entry.ts';
import { createIdFinder } from './transaction-store.ts';
import type { UndoLinks } from './undo-links.ts';

/** What remains of a change that retention deleted. An undone change counts as `reverted`. */
export type ExpiredChange = { id: string; at: number; state: JournalState };

/** The changes that retention deleted. */
export type ExpiredChanges = {
  /**
   * Deletes the oldest transactions with everything that the journal stores about them, all or none, up to the first that
   * is not older than `before`, is not committed to git yet, or has an id in `unfinished`. Held transactions stay. Returns
   * the number of deleted ones.
   */
  expire(before: number, unfinished: ReadonlySet<string>): number;
  /** Finds a deleted transaction by its id or by a unique prefix of it. */
  findExpired(id: string): ExpiredChange | undefined;
};

type Row = { seq: number; id: string; at: number; state: JournalState; recorded: number };

export function createExpiredChanges(
  database: Database,
  { flush, undoLinks }: { flush: () => void; undoLinks: UndoLinks },
): ExpiredChanges {
  const select = database.prepare(
    `select seq, id, at, state, recorded from transactions order by coalesce(precedes, seq), precedes is null, seq`,
  );
  const selectApproved = database
    .prepare(
      'select approves from transactions where approves is not null and seq not in (select value from json_each(?))',
    )
    .pluck();
  const insert = database.prepare('insert or replace into expired_changes values (@id, @at, @state)');
  const deletions = [
    'changes where transaction_seq',
    'created_folders where transaction_seq',
    'transactions where seq',
  ].map((rows) => database.prepare(`delete from ${rows} = ?`));
  const findExpired = createIdFinder(database, 'select id, at, state from expired_changes');
  const expire = database.transaction((before: number, unfinished: ReadonlySet<string>): number => {
    const old: Row[] = [];
    for (const row of select.iterate() as Iterable<Row>) {
      if (row.state === 'held') continue;
      const isInHistory = row.recorded === 1 || !['applied', 'applying'].includes(row.state);
      if (row.at >= before || !isInHistory || unfinished.has(row.id)) break;
      old.push(row);
    }
    // The author of an approved change is stored with the held one.
    const needed = new Set(selectApproved.all(JSON.stringify(old.map(({ seq }) => seq))));
    const expired = old.filter(({ id }) => !needed.has(id));
    for (const { id, at, state } of expired)
      insert.run({ id, at, state: undoLinks.undoOf(id) === undefined ? state : 'reverted' });
    for (const { seq } of expired) for (const deletion of deletions) deletion.run(seq);
    return expired.length;
  });
  return {
    expire(before, unfinished) {
      flush();
      return expire.immediate(before, unfinished);
    },
    findExpired: (id) => findExpired(id) as ExpiredChange | undefined,
  };
}
