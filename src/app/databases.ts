import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describeError } from '../contract/index.ts';
import { catalogueVersion, createCatalogueStore, isDamage, systemCode } from '../vault/index.ts';
import type { CatalogueStore } from '../vault/index.ts';
import { AppError } from './error.ts';
import { durableMigrations } from './migrations.ts';

/** Every database of a state folder. What is in the first two is nowhere else; the others are made anew from the files. */
const databaseNames = {
  durable: 'keepsake.sqlite',
  locks: 'lock.sqlite',
  catalogue: 'catalogue.sqlite',
  index: 'index.sqlite',
  upkeep: 'upkeep.sqlite',
  sync: 'sync.sqlite',
} as const;

type DatabaseName = keyof typeof databaseNames;

export function databaseFile(stateFolder: string, name: DatabaseName): string {
  return join(stateFolder, databaseNames[name]);
}

export function hasDatabase(stateFolder: string, name: DatabaseName): boolean {
  return existsSync(databaseFile(stateFolder, name));
}

/** Why the catalogue is not kept between two starts; null when it is. */
export type OpenedCatalogue = { store: CatalogueStore; notKept: string | null; close: () => void };

/**
 * The catalogue is disposable: one that is damaged or of another version is made anew, and where the state
 * folder cannot be written, reading goes on without it.
 */
export function openCatalogue(stateFolder: string): OpenedCatalogue {
  const file = databaseFile(stateFolder, 'catalogue');
  const { database, notKept } = openDisposable(file, catalogueVersion);
  // Damage may show only later, in a page that was not read at first; the next start then begins anew.
  const onFailure = (error: Error): void => {
    if (isDamage(error)) discardIfPossible(file);
  };
  return { store: createCatalogueStore(database, onFailure), notKept, close: () => void database.close() };
}

/** A database that may be lost: damaged or of another version it is begun anew, where nothing can be kept, nothing is. */
export function openDisposable(
  file: string,
  version: number,
): { database: Database.Database; notKept: string | null } {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = openUsable(file, version);
    if (database !== null) return { database, notKept: null };
    discardDatabase(file);
    return { database: openOrCreate(file, version), notKept: null };
  } catch (error) {
    return { database: new Database(':memory:'), notKept: describeError(error) };
  }
}

export function discardDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/** A disk that fails may say that a file is damaged, and then does not delete it either: false. */
export function discardIfPossible(file: string): boolean {
  try {
    discardDatabase(file);
    return true;
  } catch {
    return false;
  }
}

/** Null when the file is there but cannot serve. A busy database can: that error is thrown, not healed. */
function openUsable(file: string, version: number): Database.Database | null {
  try {
    const database = openOrCreate(file, version);
    if (versionOf(database) === version) return database;
    database.close();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
  return null;
}

function openOrCreate(file: string, version: number): Database.Database {
  const database = new Database(file, { timeout: 5000 });
  writeAhead(database);
  // Losing the last rows costs a re-read of some files, nothing else.
  database.pragma('synchronous = NORMAL');
  if (versionOf(database) === 0) database.pragma(`user_version = ${version}`);
  return database;
}

/** Twenty milliseconds between two attempts: as long as a database is waited for otherwise. */
const attempts = 500;
const pause = 20;

/**
 * Turns the write-ahead log on. Where several processes do so at the same moment, SQLite tells one of them at once that the
 * database is locked, however long it is ready to wait.
 */
function writeAhead(database: Database.Database): void {
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

function versionOf(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true });
}

/** The queue and journal: durable, so every acknowledged row is on disk, and never discarded. */
export function openDurable(stateFolder: string): Database.Database {
  const file = databaseFile(stateFolder, 'durable');
  return openOrExplain(file, () => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const database = new Database(file, { timeout: 10_000 });
    writeAhead(database);
    database.pragma('synchronous = FULL');
    migrate(database, file, durableMigrations);
    return database;
  });
}

/** Queue and journal as they are now, whoever writes on: the write-ahead log keeps what is read until it is closed. */
export type DurableSnapshot = { copyTo: (file: string) => Promise<void>; close: () => void };

/** `check` is called once it stands, and throws when it must not be used. */
export function snapshotDurable(stateFolder: string, check: () => void): DurableSnapshot {
  const file = databaseFile(stateFolder, 'durable');
  const database = openOrExplain(file, () => new Database(file, { readonly: true, timeout: 10_000 }));
  try {
    // Without a transaction that has begun to read, each step of a copy would look anew, and begin again after every write.
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

function openOrExplain(file: string, open: () => Database.Database): Database.Database {
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

/** What an update needs at least; a disk that is full may still take a few bytes. */
const smallestRoom = 1_000_000;

/** Why nothing can be written into a state folder; null when it can. */
export function writingProblem(folder: string): string | null {
  const file = join(folder, `doctor-${process.pid}.tmp`);
  try {
    writeFileSync(file, Buffer.alloc(smallestRoom), { flush: true });
    return null;
  } catch (error) {
    return describeError(error);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Runs the migrations a database does not have yet, each in a transaction of its own. */
function migrate(database: Database.Database, file: string, migrations: readonly string[]): void {
  const present = Number(versionOf(database));
  if (present > migrations.length) {
    database.close();
    throw new AppError('bad-state', `${file} was made by a newer Keepsake`, { mend: 'update this one' });
  }
  for (let version = present; version < migrations.length; version += 1) {
    database
      .transaction(() => {
        if (Number(versionOf(database)) > version) return; // another process was faster
        database.exec(migrations[version] ?? '');
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
