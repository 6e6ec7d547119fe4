import Database from 'better-sqlite3';
import { describeError } from '../contract/index.ts';
import { systemCode } from '../vault/index.ts';
import { databaseFile, hasDatabase } from './database-files.ts';
import { AppError } from './error.ts';

/** Holds only who may write at the moment; nothing in it needs to survive, but it must not break either. */
export function openLocks(stateFolder: string): Database.Database {
  const file = databaseFile(stateFolder, 'locks');
  return openOrExplain(file, () => {
    const database = new Database(file, { timeout: 10_000 });
    writeAhead(database);
    database.pragma('synchronous = NORMAL');
    return database;
  });
}

/** What the locks of a state folder say; null where there are none. Who only looks leaves nothing behind. */
export function readLocks<Value>(
  stateFolder: string,
  read: (database: Database.Database) => Value,
): Value | null {
  if (!hasDatabase(stateFolder, 'locks')) return null;
  const database = openLocks(stateFolder);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

export function openOrExplain(file: string, open: () => Database.Database): Database.Database {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError(
      'bad-state',
      `${file} cannot be opened (${describeError(cause)}); nothing was changed`,
      { mend: 'see: keepsake doctor', cause },
    );
  }
}

/** Twenty milliseconds between two attempts: as long as a database is waited for otherwise. */
const attempts = 500;
const pause = 20;

/**
 * Turns the write-ahead log on. Where several processes do so at the same moment, SQLite tells one of them at once that the
 * database is locked, however long it is ready to wait.
 */
export function writeAhead(database: Database.Database): void {
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void database.pragma('journal_mode = WAL');
    } catch (error) {
      const isBusy = systemCode(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || attempt === attempts) throw error;
      Atomics.wait(waiting, 0, 0, pause);
    }
  }
}
