import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';

/** Where transactions come from. */
export type Provenance = {
  /** What the call asked for that this transaction is of; null when it is of none. */
  callOf(id: string): string | null;
  /** Who made it, when it was not the person. */
  connectionOf(id: string): string | null;
  /** The transactions that only the person's own words have led to, and that changed this file; newest first. */
  personsFor(path: VaultPath): string[];
};

export function createProvenance(database: Database): Provenance {
  const selectCall = database.prepare('select call from transactions where id = ?').pluck();
  const selectConnection = database.prepare('select connection from transactions where id = ?').pluck();
  const selectPersons = database
    .prepare(
      'select id from transactions where is_persons = 1 and seq in (select transaction_seq from changes where path = ?) order by seq desc',
    )
    .pluck();
  return {
    callOf: (id) => (selectCall.get(id) as string | null | undefined) ?? null,
    connectionOf: (id) => (selectConnection.get(id) as string | null | undefined) ?? null,
    personsFor: (path) => selectPersons.all(path) as string[],
  };
}
