import type { Database } from 'better-sqlite3';

export type Decision = 'approved' | 'rejected';

/** Held transactions, and what a person says of them. */
export type Approvals = {
  /** Whether a held transaction still waits for a person; not if a crash came between its being made and the note of it. */
  isHeld(id: string): boolean;
  /** Writes down what a person says of a held transaction, as durably; false when that was said already. */
  decide(id: string, decision: Decision): Promise<boolean>;
  /** The transaction that was made when this held one was approved. */
  madeFor(id: string): string | undefined;
};

/** `confirm` throws when the database is no longer the one that the next start will find. */
export function createApprovals(database: Database, flush: () => void, confirm: () => void): Approvals {
  const isHeld = prepareHeldCheck(database);
  const selectMade = prepareSelectMade(database);
  const setDecision = database.prepare(`update transactions set state = ? where id = ? and state = 'held'`);
  const decide = database.transaction((id: string, decision: Decision): boolean => {
    const isDecided = (decision === 'approved' || isHeld(id)) && setDecision.run(decision, id).changes === 1;
    confirm();
    return isDecided;
  });
  return {
    isHeld(id) {
      flush();
      return isHeld(id);
    },
    async decide(id, decision) {
      flush();
      return decide.immediate(id, decision);
    },
    madeFor: (id) => selectMade.get(id) as string | undefined,
  };
}

/** The same as `Approvals.isHeld`, inside a database transaction, where nothing can be flushed. */
export function prepareHeldCheck(database: Database): (id: string) => boolean {
  const selectState = database.prepare('select state from transactions where id = ?').pluck();
  const selectMade = prepareSelectMade(database);
  return (id) => selectState.get(id) === 'held' && selectMade.get(id) === undefined;
}

function prepareSelectMade(database: Database) {
  return database
    .prepare(`select id from transactions where approves = ? and state in ('applying', 'applied')`)
    .pluck();
}
