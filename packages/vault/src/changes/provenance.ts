import type { Database } from 'better-sqlite3';
import type { VaultPath } from '../vault/index.ts';

/** The provenance of transactions. */
export type Provenance = {
  /** A digest of the tool call that made this transaction; null when no tool call made it. */
  callOf(id: string): string | null;
  /** The connection that made this transaction; null when the user made it. */
  connectionOf(id: string): string | null;
  /** Whether words of this transaction were forgotten: it cannot be restored or undone completely. */
  wasForgotten(id: string): boolean;
  /** The transactions that changed this file and followed only from the user's own words, newest first. */
  userAuthoredFor(path: VaultPath): string[];
};

export function createProvenance(database: Database): Provenance {
  const selectCall = database.prepare('select call from transactions where id = ?').pluck();
  const selectConnection = database.prepare('select connection from transactions where id = ?').pluck();
  const selectForgotten = database.prepare('select forgotten from transactions where id = ?').pluck();
  const selectPersons = database
    .prepare(
      'select id from transactions where is_user_authored = 1 and seq in (select transaction_seq from changes where path = ?) order by seq desc',
    )
    .pluck();
  return {
    callOf: (id) => (selectCall.get(id) as string | null | undefined) ?? null,
    connectionOf: (id) => (selectConnection.get(id) as string | null | undefined) ?? null,
    wasForgotten: (id) => selectForgotten.get(id) === 1,
    userAuthoredFor: (path) => selectPersons.all(path) as string[],
  };
}
