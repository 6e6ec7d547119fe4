import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runMigrations } from '../../../../test/changes-database.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';
import { externalOrigin, syncOrigin } from './journal-entry.ts';
import { journalMigrations } from './journal-migrations.ts';
import { createJournal } from './journal.ts';

it('the journal can be opened right after another process has migrated it', () => {
  const file = join(temporaryFolder(), 'state.sqlite');
  const [first, second] = [new Database(file), new Database(file)];
  const migrations = Object.values(journalMigrations);
  runMigrations(first, migrations.slice(0, -1));
  // The second connection caches the schema from here on.
  expect(second.prepare('select * from changes').all()).toEqual([]);
  runMigrations(first, migrations.slice(-1));
  expect(createJournal(second).latestSequence()).toBe(0);
  first.close();
  second.close();
});

it('the journal returns its latest transaction, even if external edits were recorded after it', async () => {
  const database = new Database(':memory:');
  runMigrations(database, Object.values(journalMigrations));
  const journal = createJournal(database);
  const entry = (id: string, origin: string) => ({
    id,
    at: 0,
    origin,
    summary: '',
    state: 'applied' as const,
  });
  const path = 'vault/a.md' as VaultPath;
  await journal.append(entry('own', syncOrigin), [
    { kind: 'create', path, after: Buffer.from('a'), mode: null },
  ]);
  const files = [{ path, before: null, after: Buffer.from('b') }];
  for (const origin of [externalOrigin, syncOrigin])
    journal.appendExternalEdits(
      [{ entry: entry(`found ${origin}`, origin), precedes: null, lost: null, files }],
      null,
    );
  expect(journal.latest()?.id).toBe('own');
  database.close();
});
