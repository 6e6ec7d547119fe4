import { existsSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { isDatabaseCorrupt } from '../vault/index.ts';
import type { Redactor } from './redactor.ts';
import { deleteRow, findRows, listTables } from './table-rows.ts';

/** The number of rows with the words in a database that can be rebuilt; 0 if there is no database. */
export function countRows(file: string, redactor: Redactor): number {
  try {
    return withDatabase(file, 0, (database) =>
      listTables(database).reduce((sum, table) => sum + findRows(database, table, redactor).length, 0),
    );
  } catch (error) {
    // It is deleted as a whole.
    if (isDatabaseCorrupt(error)) return 0;
    throw error;
  }
}

/** Deletes the rows with the words from a database that can be rebuilt, or all of it if it is damaged. */
export function deleteRows(file: string, redactor: Redactor): Promise<void> {
  return discardIfDamaged(file, () => deleteMatchingRows(file, redactor));
}

function deleteMatchingRows(file: string, redactor: Redactor): void {
  withDatabase(file, undefined, (database) =>
    database
      .transaction(() => {
        for (const table of listTables(database))
          for (const key of findRows(database, table, redactor)) deleteRow(database, table, key);
      })
      .immediate(),
  );
}

/** Deletes vectors of texts that the index no longer contains. */
export function deleteOrphanedVectors(file: string): Promise<void> {
  return discardIfDamaged(file, () => deleteVectors(file));
}

function deleteVectors(file: string): void {
  withDatabase(file, undefined, (database) => {
    const tables = database
      .prepare(
        `select name from sqlite_master where type = 'table' and name glob 'keepsake_vectors_????????????'`,
      )
      .pluck()
      .all() as string[];
    for (const table of tables)
      database
        .transaction(() => {
          database.exec(
            `delete from ${table}_whole where id in (select id from ${table} where hash not in (select hash from documents))`,
          );
          database.exec(`delete from ${table} where hash not in (select hash from documents)`);
        })
        .immediate();
  });
}

const maxCheckpointAttempts = 100;
const checkpointRetryMs = 50;

/**
 * Rewrites a database without its free pages, and empties its write-ahead log. Other processes may have the database open;
 * their reads delay it. Deleted words are still in the segments of a full-text index until they are merged.
 */
export async function compactDatabase(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const database = new Database(file, { timeout: 10_000 });
  try {
    database.pragma('secure_delete = on');
    const fullText = database
      .prepare(
        `select name from sqlite_master where type = 'table' and sql like 'create virtual table%using fts5%'`,
      )
      .pluck()
      .all() as string[];
    for (const name of fullText) database.exec(`insert into "${name}" ("${name}") values ('optimize')`);
    database.exec('vacuum');
    for (let attempt = 1; attempt <= maxCheckpointAttempts; attempt += 1) {
      const [result] = database.pragma('wal_checkpoint(truncate)') as { busy: number }[];
      if (result?.busy === 0) return;
      await sleep(checkpointRetryMs);
    }
  } finally {
    database.close();
  }
}

/** Compacts a database that can be rebuilt. */
export function compactDisposable(file: string): Promise<void> {
  return discardIfDamaged(file, () => compactDatabase(file));
}

/** The database is rebuilt by its next use. */
async function discardIfDamaged(file: string, work: () => void | Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isDatabaseCorrupt(error)) throw error;
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
}

function withDatabase<Value>(
  file: string,
  otherwise: Value,
  work: (database: Database.Database) => Value,
): Value {
  if (!existsSync(file)) return otherwise;
  const database = new Database(file, { timeout: 10_000 });
  try {
    database.pragma('secure_delete = on');
    return work(database);
  } finally {
    database.close();
  }
}
