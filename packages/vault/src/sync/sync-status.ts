import type { Database } from 'better-sqlite3';
import type { SkippedFile } from './syncable-files.ts';

export type SyncStatus = {
  /** When the vault was last synced, in epoch milliseconds. */
  at: number | null;
  /** The error of the last failed sync since then. */
  problem: string | null;
  /** The files that the last sync left out. */
  leftOut: SkippedFile[];
};

/** Disposable: without it, only what the last sync reported is lost. */
export function createSyncStatusStore(database: Database): {
  read(): SyncStatus;
  note(last: { at: number; leftOut: readonly SkippedFile[] } | { problem: string }): void;
} {
  database.exec(`
    create table if not exists last (one integer primary key check (one = 1), at integer, problem text);
    create table if not exists left_out (path text primary key, reason text) without rowid;
    insert or ignore into last values (1, null, null);
  `);
  const read = database.prepare('select at, problem from last');
  const readLeftOut = database.prepare('select path, reason from left_out order by path');
  const succeed = database.prepare('update last set at = @at, problem = null');
  const fail = database.prepare('update last set problem = @problem');
  const clear = database.prepare('delete from left_out');
  const leaveOut = database.prepare('insert or replace into left_out values (@path, @reason)');
  const noteSync = database.transaction((at: number, leftOut: readonly SkippedFile[]) => {
    succeed.run({ at });
    clear.run();
    for (const file of leftOut) leaveOut.run(file);
  });
  return {
    read: () => ({
      ...(read.get() as Pick<SyncStatus, 'at' | 'problem'>),
      leftOut: readLeftOut.all() as SkippedFile[],
    }),
    note: (last) => void ('at' in last ? noteSync(last.at, last.leftOut) : fail.run(last)),
  };
}
