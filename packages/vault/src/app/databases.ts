import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describeError } from '../contract/index.ts';
import type { Migration } from '../queue/index.ts';
import { catalogueVersion, createCatalogueStore, errorCode, isDatabaseCorrupt } from '../vault/index.ts';
import type { CatalogueStore } from '../vault/index.ts';
import { databaseFile, discardDatabase, isMarkedDamaged } from './database-files.ts';
import { AppError } from './error.ts';
import { openWithAppError, enableWal } from './locks.ts';
import { recordIfDatabaseLost } from './lost-database.ts';
import { durableMigrations } from './migrations.ts';

/** `persistenceError` says why the catalogue is not stored on disk; null when it is. */
export type OpenedCatalogue = { store: CatalogueStore; persistenceError: string | null; close: () => void };

/**
 * The catalogue is disposable: it is rebuilt when it is damaged or has another version, and kept in memory when the state folder
 * cannot be written, or if `isInMemory`.
 */
export function openCatalogue(stateFolder: string, { isInMemory = false } = {}): OpenedCatalogue {
  const file = databaseFile(stateFolder, 'catalogue');
  // Damage may be found only later, in a page that was not read at first; the next start then rebuilds the catalogue.
  const onFailure = (error: Error): void => {
    if (isDatabaseCorrupt(error)) tryDiscardDatabase(file);
  };
  const open = (): OpenedCatalogue => {
    const { database, persistenceError } = isInMemory
      ? { database: new Database(':memory:'), persistenceError: null }
      : openDisposable(file, catalogueVersion);
    const close = (): void => void database.close();
    try {
      return { store: createCatalogueStore(database, onFailure), persistenceError, close };
    } catch (error) {
      close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!isDatabaseCorrupt(error) || !tryDiscardDatabase(file)) throw error;
    return open();
  }
}

/**
 * Calls `work` with a database that may be lost, and once more with an empty one if the database turns out to be damaged.
 * `work` must be repeatable.
 */
export async function withDisposable<Value>(
  file: string,
  version: number,
  work: (opened: ReturnType<typeof openDisposable>) => Promise<Value>,
): Promise<Value> {
  const attempt = async (): Promise<Value> => {
    const opened = openDisposable(file, version);
    try {
      return await work(opened);
    } finally {
      opened.database.close();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    const isDamaged = isDatabaseCorrupt(error) && existsSync(file) && findDamage(file) !== null;
    if (!isDamaged || !tryDiscardDatabase(file)) throw error;
    return attempt();
  }
}

/** What is wrong with a database; null if nothing is. Changes nothing. `isQuick` does not compare indexes with their tables. */
export function findDamage(file: string, { isQuick = false } = {}): string | null {
  try {
    const database = new Database(file, { readonly: true, timeout: 10_000 });
    try {
      const check = isQuick ? 'quick_check(1)' : 'integrity_check(1)';
      const found = database.pragma(check, { simple: true });
      return found === 'ok' ? null : String(found).replaceAll(/\s+/g, ' ');
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isDatabaseCorrupt(error)) throw error;
    return describeError(error);
  }
}

/**
 * Opens a database that may be lost: it is recreated if it is damaged or has another version, and kept in memory if the
 * disk cannot be written.
 */
export function openDisposable(
  file: string,
  version: number,
): { database: Database.Database; persistenceError: string | null } {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (isMarkedDamaged(file)) discardDatabase(file);
    const database = tryOpenDatabase(file, version);
    if (database !== null) return { database, persistenceError: null };
    discardDatabase(file);
    return { database: openOrCreate(file, version), persistenceError: null };
  } catch (error) {
    return { database: new Database(':memory:'), persistenceError: describeError(error) };
  }
}

/** Returns false when the files cannot be deleted: on a failing disk, a file can appear damaged and be undeletable. */
export function tryDiscardDatabase(file: string): boolean {
  try {
    discardDatabase(file);
    return true;
  } catch {
    return false;
  }
}

/** Null when the file is damaged or has another version. A busy database is neither: that error is thrown. */
function tryOpenDatabase(file: string, version: number): Database.Database | null {
  try {
    const database = openOrCreate(file, version);
    if (readUserVersion(database) === version) return database;
    database.close();
  } catch (error) {
    if (!isDatabaseCorrupt(error)) throw error;
  }
  return null;
}

function openOrCreate(file: string, version: number): Database.Database {
  const database = new Database(file, { timeout: 5000 });
  enableWal(database);
  database.pragma('secure_delete = on');
  // If the last rows are lost, some files are read again; nothing else is lost.
  database.pragma('synchronous = NORMAL');
  if (readUserVersion(database) === 0) database.pragma(`user_version = ${version}`);
  return database;
}

function readUserVersion(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true });
}

/** The queue and journal: durable, so every acknowledged row is on disk, and never discarded. */
export function openDurable(stateFolder: string): Database.Database {
  const file = databaseFile(stateFolder, 'durable');
  return openWithAppError(file, () => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const database = new Database(file, { timeout: 10_000 });
    enableWal(database);
    database.pragma('synchronous = FULL');
    // On macOS, a plain sync leaves data in the cache of the drive. Other systems ignore both.
    database.pragma('fullfsync = on');
    database.pragma('checkpoint_fullfsync = on');
    // Deleted content must not stay in free pages, whichever process deletes it.
    database.pragma('secure_delete = on');
    if (readUserVersion(database) === 0) recordIfDatabaseLost(stateFolder);
    migrate(database, file, durableMigrations);
    return database;
  });
}

/** The share of unused pages from which the database is rewritten without them. */
const maxFreeShare = 0.1;

/** Returns unused space to the disk, and leaves no deleted content behind. Does nothing while another process reads. */
export function compactDurable(database: Database.Database): void {
  const read = (name: string): number => Number(database.pragma(name, { simple: true }));
  try {
    if (read('freelist_count') > maxFreeShare * read('page_count')) database.exec('vacuum');
  } catch (error) {
    if (errorCode(error)?.startsWith('SQLITE_BUSY') !== true) throw error;
  }
  // The write-ahead log still has the pages as they were before the deletion.
  database.pragma('wal_checkpoint(TRUNCATE)');
}

/**
 * The queue and the journal as of now, unaffected by later writes: the write-ahead log keeps their pages until the
 * snapshot is closed.
 */
export type DurableSnapshot = { copyTo: (file: string) => Promise<void>; close: () => void };

/** `check` is called when the snapshot is open; it throws if the snapshot must not be used. */
export function snapshotDurable(stateFolder: string, check: () => void): DurableSnapshot {
  const file = databaseFile(stateFolder, 'durable');
  const database = openWithAppError(file, () => new Database(file, { readonly: true, timeout: 10_000 }));
  try {
    // Without an open read transaction, the backup API starts over after every write.
    database.exec('begin');
    database.prepare('select count(*) from sqlite_schema').get();
    check();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    copyTo: async (target) => void (await database.backup(target)),
    close: () => void database.close(),
  };
}

/** The minimum free space for an update; a full disk may still accept a few bytes. */
const minFreeBytes = 1_000_000;

/** Why a state folder cannot be written; null when it can. */
export function findWriteProblem(folder: string): string | null {
  const file = join(folder, `doctor-${process.pid}.tmp`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, Buffer.alloc(minFreeBytes), { flush: true });
    return null;
  } catch (error) {
    return describeError(error);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Runs the pending migrations of a database, each in its own transaction. */
function migrate(database: Database.Database, file: string, migrations: readonly Migration[]): void {
  const currentVersion = Number(readUserVersion(database));
  if (currentVersion > migrations.length) {
    database.close();
    throw new AppError('bad-state', `${file} was created by a newer version`, { hint: 'upgrade Keepsake' });
  }
  for (const [version, migration] of migrations.entries()) {
    if (version < currentVersion) continue;
    database
      .transaction(() => {
        if (Number(readUserVersion(database)) > version) return; // another process was faster
        if (typeof migration === 'string') database.exec(migration);
        else migration(database);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
