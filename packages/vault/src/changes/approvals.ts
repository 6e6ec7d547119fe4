import type { Database } from 'better-sqlite3';

export type Decision = 'approved' | 'rejected';

/** Held transactions and the user's decisions about them. */
export type Approvals = {
  /**
   * Whether a held transaction still waits for a decision. False when it was applied but a crash prevented its state from
   * being recorded.
   */
  isHeld(id: string): boolean;
  /** Durably records the decision about a held transaction; false when it was already decided. */
  recordDecision(id: string, decision: Decision): Promise<boolean>;
  /** Durably holds a rejected transaction again; false when it is not rejected. */
  withdrawRejection(id: string): Promise<boolean>;
  /** The id of the transaction that applied a held transaction after its approval. */
  appliedIdOf(id: string): string | undefined;
};

/** `assertNotReplaced` throws when the database file was replaced: the next start would not find what is written here. */
export function createApprovals(
  database: Database,
  flush: () => void,
  assertNotReplaced: () => void,
): Approvals {
  const isHeld = prepareHeldCheck(database);
  const selectApplied = prepareSelectApplied(database);
  const setDecision = database.prepare(`update transactions set state = ? where id = ? and state = 'held'`);
  const decide = database.transaction((id: string, decision: Decision): boolean => {
    const isDecided = (decision === 'approved' || isHeld(id)) && setDecision.run(decision, id).changes === 1;
    assertNotReplaced();
    return isDecided;
  });
  const setHeld = database.prepare(
    `update transactions set state = 'held' where id = ? and state = 'rejected'`,
  );
  const holdAgain = database.transaction((id: string): boolean => {
    const isHeldAgain = setHeld.run(id).changes === 1;
    assertNotReplaced();
    return isHeldAgain;
  });
  return {
    isHeld(id) {
      flush();
      return isHeld(id);
    },
    async recordDecision(id, decision) {
      flush();
      return decide.immediate(id, decision);
    },
    async withdrawRejection(id) {
      flush();
      return holdAgain.immediate(id);
    },
    appliedIdOf: (id) => selectApplied.get(id) as string | undefined,
  };
}

/** Like `Approvals.isHeld`, for use inside a database transaction, where pending states cannot be flushed. */
export function prepareHeldCheck(database: Database): (id: string) => boolean {
  const selectState = database.prepare('select state from transactions where id = ?').pluck();
  const selectApplied = prepareSelectApplied(database);
  return (id) => selectState.get(id) === 'held' && selectApplied.get(id) === undefined;
}

function prepareSelectApplied(database: Database) {
  return database
    .prepare(`select id from transactions where approves = ? and state in ('applying', 'applied')`)
    .pluck();
}
