import type { Database } from 'better-sqlite3';

/** When the vault was last synced (epoch milliseconds), and the error of the last failed sync since then. */
export type SyncStatus = { at: number | null; problem: string | null };

/** Disposable: without it, only the time of the last sync is lost. */
export function createSyncStatusStore(database: Database): {
  read(): SyncStatus;
  note(last: { at: number } | { problem: string }): void;
} {
  database.exec(`
    create table if not exists last (one integer primary key check (one = 1), at integer, problem text);
    insert or ignore into last values (1, null, null);
  `);
  const read = database.prepare('select at, problem from last');
  const succeed = database.prepare('update last set at = @at, problem = null');
  const fail = database.prepare('update last set problem = @problem');
  return {
    read: () => read.get() as SyncStatus,
    note: (last) => void ('at' in last ? succeed : fail).run(last),
  };
}
