import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { openRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange } from './change.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { createRepository } from './repository.ts';
import type { Repository } from './repository.ts';
import { createWriterLock } from './writer-lock.ts';

/** And how a process opens history in it, with its own view of the journal. */
function aRepository(database: Database): {
  repository: Repository;
  openHistory: (journal: Journal) => History;
} {
  const repository = createRepository(
    join(temporaryFolder(), 'history.git'),
    process.env['PATH'] ?? '',
    Date.now,
  );
  const openHistory = (journal: Journal): History =>
    createHistory({
      root: openRoot(temporaryFolder()),
      clock: Date.now,
      journal,
      lock: createWriterLock({ database, clock: Date.now }),
      repository,
    });
  return { repository, openHistory };
}

it('a process that ends before the journal knows of commits leaves nothing that is taken for an edit made outside', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const { repository, openHistory } = aRepository(database);
  const path = 'vault/note.md' as VaultPath;
  const texts = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(`${text}\n`));
  const write = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 1) {
      const [before, after] = [texts[at - 1] ?? null, texts[at] as Buffer];
      const change = fileChange(path, before, after);
      if (change === null) throw new Error('nothing changes');
      const entry = { id: `change-${at}`, at: 1_000, origin: 'o', summary: 's', state: 'applied' as const };
      await journal.begin(entry, [change]);
    }
  };
  await write(0, 1);
  await openHistory(journal).record();
  await write(1, 3);
  const ending = openHistory({
    ...journal,
    setRecorded() {
      throw new Error('the process ends here');
    },
  });
  await expect(ending.record()).rejects.toThrow('ends here');
  await write(3, 4);

  const later = openHistory(journal);
  await later.record();

  expect(journal.list({ limit: 10 }).map(({ id }) => id)).toEqual([
    'change-3',
    'change-2',
    'change-1',
    'change-0',
  ]);
  const git = await repository.open();
  const versions = (await git?.versions(path, 10)) ?? [];
  expect(versions.map(({ bytes }) => String(bytes))).toEqual(texts.map(String).toReversed());
  for (const [at, { commit }] of versions.toReversed().entries())
    expect(journal.commitOf(`change-${at}`)).toBe(commit);
});

it('a commit is found by its id after a crash, also when git stores its words in another form', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const { repository, openHistory } = aRepository(database);
  // Half of a surrogate pair, which UTF-8 cannot have; nothing; and twice the same.
  const summaries = ['cut off \ud83c', '', 'the same', 'the same'];
  for (const [index, summary] of summaries.entries()) {
    const created = fileChange(`vault/${index}.md` as VaultPath, null, Buffer.from(`${index}\n`));
    const made = { id: `change-${index}`, at: 1_000, origin: 'o', summary, state: 'applied' as const };
    await journal.begin(made, created === null ? [] : [created]);
  }
  const ending = openHistory({
    ...journal,
    setRecorded() {
      throw new Error('the process ends here');
    },
  });
  await expect(ending.record()).rejects.toThrow('ends here');
  const git = await repository.open();
  const left = (await git?.newest(10)) ?? [];
  expect(left).toHaveLength(summaries.length);

  const later = openHistory(journal);
  await later.record();
  expect(await git?.newest(10)).toEqual(left);
  for (const index of summaries.keys())
    expect((await later.changesOf(`change-${index}`))?.map(({ path }) => path)).toEqual([
      `vault/${index}.md`,
    ]);
});

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
  const history = aRepository(database).openHistory({
    ...journal,
    changesOf(id) {
      asked.push(id);
      return journal.changesOf(id);
    },
  });
  await history.record();
  expect(asked).toEqual(['a']);
  expect(await history.changesOf('a')).toHaveLength(changes.length);
});
