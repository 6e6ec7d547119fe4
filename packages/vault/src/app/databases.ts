import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { describeError } from '../contract/index.ts';
import type { Migration } from '../queue/index.ts';
import { catalogueVersion, createCatalogueStore, isDamage } from '../vault/index.ts';
import type { CatalogueStore } from '../vault/index.ts';
import { databaseFile } from './database-files.ts';
import { AppError } from './error.ts';
import { openOrExplain, writeAhead } from './locks.ts';
import { durableMigrations } from './migrations.ts';

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
function migrate(database: Database.Database, file: string, migrations: readonly Migration[]): void {
  const present = Number(versionOf(database));
  if (present > migrations.length) {
    database.close();
    throw new AppError('bad-state', `${file} was made by a newer Keepsake`, { mend: 'update this one' });
  }
  for (const [version, migration] of migrations.entries()) {
    if (version < present) continue;
    database
      .transaction(() => {
        if (Number(versionOf(database)) > version) return; // another process was faster
        if (typeof migration === 'string') database.exec(migration);
        else migration(database);
        database.pragma(`user_version = ${version + 1}`);
      })
      .immediate();
  }
}
