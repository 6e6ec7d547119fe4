import Database from 'better-sqlite3';
import { describeError } from '../contract/index.ts';
import { errorCode, isDatabaseCorrupt } from '../vault/index.ts';
import { databaseFile, discardDatabase, hasDatabase } from './database-files.ts';
import { AppError } from './error.ts';

/** Opens the database of leases. Its content need not survive a power loss, but it must not become corrupt. */
export function openLocks(stateFolder: string): Database.Database {
  const file = databaseFile(stateFolder, 'locks');
  return openWithAppError(file, () => {
    try {
      return openLockFile(file);
    } catch (error) {
      if (!isDatabaseCorrupt(error)) throw error;
      // Leases are the whole content. A process that has the damaged file open notices that it was replaced before it
      // acknowledges a write.
      discardDatabase(file);
      return openLockFile(file);
    }
  });
}

function openLockFile(file: string): Database.Database {
  const database = new Database(file, { timeout: 10_000 });
  try {
    enableWal(database);
    database.pragma('synchronous = NORMAL');
    database.prepare('select count(*) from sqlite_schema').get();
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Reads from the lock database; null when there is none or it is damaged. Creates, repairs and locks nothing. */
export function readLocks<Value>(
  stateFolder: string,
  read: (database: Database.Database) => Value,
): Value | null {
  if (!hasDatabase(stateFolder, 'locks')) return null;
  const file = databaseFile(stateFolder, 'locks');
  return openWithAppError(file, () => {
    const database = new Database(file, { readonly: true, timeout: 10_000 });
    try {
      return read(database);
    } catch (error) {
      if (isDatabaseCorrupt(error)) return null;
      throw error;
    } finally {
      database.close();
    }
  });
}

export function openWithAppError<Value>(file: string, open: () => Value): Value {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-state', `cannot open ${file} (${describeError(cause)})`, {
      hint: isDatabaseCorrupt(cause)
        ? `restore a backup: keepsake restore-backup <folder> --to <vault>; to continue without its updates, tokens and list of changes, move ${file} away`
        : 'run: keepsake doctor',
      cause,
    });
  }
}

/** 500 attempts, 20 milliseconds apart: the same ten seconds as the busy timeout of the databases. */
const maxWalAttempts = 500;
const walRetryDelayMs = 20;

/**
 * Enables the write-ahead log. When several processes do so at the same time, SQLite reports SQLITE_BUSY to one of them
 * immediately, regardless of the busy timeout.
 */
export function enableWal(database: Database.Database): void {
  const waiting = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void database.pragma('journal_mode = WAL');
    } catch (error) {
      const isBusy = errorCode(error)?.startsWith('SQLITE_BUSY') === true;
      if (!isBusy || attempt === maxWalAttempts) throw error;
      Atomics.wait(waiting, 0, 0, walRetryDelayMs);
    }
  }
}
