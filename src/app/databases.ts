import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { catalogueVersion, createCatalogueStore } from '../vault/index.ts';
import type { CatalogueStore } from '../vault/index.ts';
import { journalMigrations, laterJournalMigrations } from '../changes/index.ts';
import { queueMigrations } from '../queue/index.ts';
import { AppError } from './error.ts';
import { importMigrations } from './import/records.ts';
import { ledgerMigrations } from '../models/index.ts';
import { tokenMigrations } from './tokens.ts';

/** Why the catalogue is not kept between two starts; null when it is. */
export type OpenedCatalogue = { store: CatalogueStore; notKept: string | null; close: () => void };

/**
 * The catalogue is disposable: one that is damaged or of another version is made anew, and where the state
 * folder cannot be written, reading goes on without it.
 */
export function openCatalogue(stateFolder: string): OpenedCatalogue {
  const file = join(stateFolder, 'catalogue.sqlite');
  const { database, notKept } = openDisposable(file, catalogueVersion);
  // Damage may show only later, in a page that was not read at first; the next start then begins anew.
  const onFailure = (error: Error): void => void (isDamage(error) && discardDatabase(file));
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
    const notKept = error instanceof Error ? error.message : String(error);
    return { database: new Database(':memory:'), notKept };
  }
}

/** A busy database is not damaged. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}

export function discardDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
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
  database.pragma('journal_mode = WAL');
  // Losing the last rows costs a re-read of some files, nothing else.
  database.pragma('synchronous = NORMAL');
  if (versionOf(database) === 0) database.pragma(`user_version = ${version}`);
  return database;
}

function versionOf(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true });
}

/** The queue and journal: durable, so every acknowledged row is on disk, and never discarded. */
export function openDurableDatabase(stateFolder: string): Database.Database {
  const file = join(stateFolder, durableName);
  return openOrExplain(file, () => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const database = new Database(file, { timeout: 10_000 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    migrate(database, file, durableMigrations);
    return database;
  });
}

function openOrExplain(file: string, open: () => Database.Database): Database.Database {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(
      'bad-state',
      `${file} cannot be opened (${reason}); nothing was changed. See: keepsake doctor`,
      { cause },
    );
  }
}

export function hasDurableDatabase(stateFolder: string): boolean {
  return existsSync(join(stateFolder, durableName));
}

/** Holds only who may write at the moment; nothing in it needs to survive, but it must not break either. */
export function openLockDatabase(stateFolder: string): Database.Database {
  const file = join(stateFolder, lockName);
  return openOrExplain(file, () => {
    const database = new Database(file, { timeout: 10_000 });
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = NORMAL');
    return database;
  });
}

export function hasLockDatabase(stateFolder: string): boolean {
  return existsSync(join(stateFolder, lockName));
}

const lockName = 'lock.sqlite';
const durableName = 'keepsake.sqlite';

/** In the order in which they came to be, whoever they belong to: what is in use is never renumbered. */
const durableMigrations = [
  ...journalMigrations,
  ...queueMigrations,
  ...ledgerMigrations,
  ...tokenMigrations,
  ...laterJournalMigrations,
  ...importMigrations,
];

/** Runs the migrations a database does not have yet, each in a transaction of its own. */
function migrate(database: Database.Database, file: string, migrations: readonly string[]): void {
  const present = Number(versionOf(database));
  if (present > migrations.length) {
    database.close();
    throw new AppError('bad-state', `${file} was made by a newer Keepsake; update this one`);
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
