import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../test/changes-database.ts';
import { temporaryFolder } from '../../test/temporary-vault.ts';
import { openRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createHistory } from './history.ts';
import { createJournal } from './journal.ts';
import { createRepository } from './repository.ts';
import { createWriterLock } from './writer-lock.ts';

it('the journal is asked once for what goes into history, which may be more than fits into memory twice', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const asked: string[] = [];
  const changes = Array.from({ length: 20 }, (_, index) => ({
    kind: 'create' as const,
    path: `vault/${index}.txt` as VaultPath,
    after: Buffer.from(`${index}\n`),
    mode: null,
  }));
  await journal.begin({ id: 'a', at: 1_000, origin: 'o', summary: 's', state: 'applied' }, changes);
  const repository = createRepository(
    join(temporaryFolder(), 'history.git'),
    process.env['PATH'] ?? '',
    Date.now,
  );
  const history = createHistory({
    root: openRoot(temporaryFolder()),
    clock: Date.now,
    journal: {
      ...journal,
      changesOf(id) {
        asked.push(id);
        return journal.changesOf(id);
      },
    },
    lock: createWriterLock({ database, clock: Date.now }),
    repository,
  });
  await history.record();
  expect(asked).toEqual(['a']);
  expect(await history.changesOf('a')).toHaveLength(changes.length);
});
