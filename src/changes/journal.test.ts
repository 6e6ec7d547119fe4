import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-vault.ts';
import { createJournal, journalMigrations, laterJournalMigrations } from './journal.ts';
import { latestChangesMigrations } from './migrations.ts';

it('a journal opens that another process brought up to date a moment ago', () => {
  const file = join(temporaryFolder(), 'state.sqlite');
  const [first, second] = [new Database(file), new Database(file)];
  const migrations = [...journalMigrations, ...laterJournalMigrations, ...latestChangesMigrations];
  for (const migration of migrations.slice(0, -1)) first.exec(migration);
  // It knows the tables from here on.
  expect(second.prepare('select * from changes').all()).toEqual([]);
  first.exec(migrations.at(-1) ?? '');
  expect(createJournal(second).newest()).toBe(0);
  first.close();
  second.close();
});
