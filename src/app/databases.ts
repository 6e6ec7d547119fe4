import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { catalogueVersion } from '../vault/index.ts';

/** Whether what is kept will be there at the next start, and if not, why. */
export type OpenedCatalogue = { database: Database.Database; notKept: string | null };

/**
 * The catalogue is disposable: one that is damaged or of another version is made anew, and where the state
 * folder cannot be written, reading goes on without it.
 */
export function openCatalogueDatabase(stateFolder: string): OpenedCatalogue {
  const file = join(stateFolder, 'catalogue.sqlite');
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const database = openUsable(file);
    if (database !== null) return { database, notKept: null };
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
    return { database: openOrCreate(file), notKept: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { database: new Database(':memory:'), notKept: reason };
  }
}

/** Null when the file is there but cannot serve. A busy database can: that error is thrown, not healed. */
function openUsable(file: string): Database.Database | null {
  try {
    const database = openOrCreate(file);
    if (versionOf(database) === catalogueVersion) return database;
    database.close();
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || !/^SQLITE_(CORRUPT|NOTADB)/.test(error.code)) throw error;
  }
  return null;
}

function openOrCreate(file: string): Database.Database {
  const database = new Database(file, { timeout: 5000 });
  database.pragma('journal_mode = WAL');
  // Losing the last rows costs a re-read of some files, nothing else.
  database.pragma('synchronous = NORMAL');
  if (versionOf(database) === 0) database.pragma(`user_version = ${catalogueVersion}`);
  return database;
}

function versionOf(database: Database.Database): unknown {
  return database.pragma('user_version', { simple: true });
}
