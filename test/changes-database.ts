import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';
import { createComparer } from '../packages/vault/src/changes/comparer.ts';
import { journalMigrations } from '../packages/vault/src/changes/index.ts';
import { createJournal } from '../packages/vault/src/changes/journal.ts';
import { createReplacedFiles } from '../packages/vault/src/changes/late-writes.ts';
import { createWriter } from '../packages/vault/src/changes/writer.ts';
import type { Clock } from '../packages/vault/src/contract/index.ts';
import type { VaultRoot } from '../packages/vault/src/vault/index.ts';

export function memoryDatabase(): Database.Database {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  return database;
}

/** A database with the tables of the journal. */
export function changesDatabase(): Database.Database {
  const database = memoryDatabase();
  runMigrations(database, Object.values(journalMigrations));
  return database;
}

type Options = {
  /** Called whenever the writer checks its lock, which it always holds. */
  check?: () => void;
  elapsed?: Clock | undefined;
};

/** A writer with its dependencies, as a process opens them. */
export function openWriter(root: VaultRoot, database: Database.Database, options: Options = {}) {
  const { check = () => undefined, elapsed } = options;
  const lock = {
    withLease: <Value>(work: (lease: { fence: number; assertHeld: () => void }) => Promise<Value>) =>
      work({ fence: 1, assertHeld: check }),
  };
  const [journal, replaced] = [createJournal(database), createReplacedFiles(root, database, elapsed)];
  const parts = {
    root,
    lock,
    journal,
    replaced,
    clock: Date.now,
    listeners: [],
    comparer: createComparer(() => false),
  };
  return { journal, replaced, writer: createWriter(parts) };
}

/** Runs the migrations of a module, in order. */
export function runMigrations(
  database: Database.Database,
  migrations: readonly (string | ((database: Database.Database) => void))[],
): void {
  for (const migration of migrations)
    if (typeof migration === 'string') database.exec(migration);
    else migration(database);
}
