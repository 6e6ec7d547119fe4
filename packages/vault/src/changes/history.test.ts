import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { resolveRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange } from './change.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { createRepository } from './history-repository.ts';
import type { HistoryRepository } from './history-repository.ts';
import { createWriterLock } from './writer-lock.ts';

/** A history repository, and a function that opens it with a process's own view of the journal. */
function aRepository(database: Database): {
  repository: HistoryRepository;
  openHistory: (journal: Journal) => History;
} {
  const repository = createRepository(
    join(temporaryFolder(), 'history.git'),
    process.env['PATH'] ?? '',
    Date.now,
  );
  const openHistory = (journal: Journal): History =>
    createHistory({
      root: resolveRoot(temporaryFolder()),
      clock: Date.now,
      journal,
      lock: createWriterLock({ database, clock: Date.now }),
      repository,
    });
  return { repository, openHistory };
}

it('history does not mistake commits of a crashed process for external edits', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const { repository, openHistory } = aRepository(database);
  const path = 'vault/note.md' as VaultPath;
  const texts = ['one', 'two', 'three', 'four'].map((text) => Buffer.from(`${text}\n`));
  const write = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 1) {
      const [before, after] = [texts[at - 1] ?? null, texts[at] as Buffer];
      const change = createFileChange(path, before, after);
      if (change === null) throw new Error('nothing changes');
      const entry = { id: `change-${at}`, at: 1_000, origin: 'o', summary: 's', state: 'applied' as const };
      await journal.append(entry, [change]);
    }
  };
  await write(0, 1);
  await openHistory(journal).record();
  await write(1, 3);
  const ending = openHistory({
    ...journal,
    markCommitted() {
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
  const versions = (await git?.fileVersions(path, 10)) ?? [];
  expect(versions.map(({ bytes }) => String(bytes))).toEqual(texts.map(String).toReversed());
  for (const [at, { commit }] of versions.toReversed().entries())
    expect(journal.commitOf(`change-${at}`)).toBe(commit);
});

it('history finds a commit by the id of its change after a crash, even if git has altered its message', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const { repository, openHistory } = aRepository(database);
  // Half of a surrogate pair, which UTF-8 cannot encode; an empty summary; and two equal ones.
  const summaries = ['cut off \ud83c', '', 'the same', 'the same'];
  for (const [index, summary] of summaries.entries()) {
    const created = createFileChange(`vault/${index}.md` as VaultPath, null, Buffer.from(`${index}\n`));
    const made = { id: `change-${index}`, at: 1_000, origin: 'o', summary, state: 'applied' as const };
    await journal.append(made, created === null ? [] : [created]);
  }
  const ending = openHistory({
    ...journal,
    markCommitted() {
      throw new Error('the process ends here');
    },
  });
  await expect(ending.record()).rejects.toThrow('ends here');
  const git = await repository.open();
  const left = (await git?.recentCommits(10)) ?? [];
  expect(left).toHaveLength(summaries.length);

  const later = openHistory(journal);
  await later.record();
  expect(await git?.recentCommits(10)).toEqual(left);
  for (const index of summaries.keys())
    expect((await later.readChanges(`change-${index}`))?.map(({ path }) => path)).toEqual([
      `vault/${index}.md`,
    ]);
});

it('history reads the changes of a transaction from the journal only once, because they may be too large to hold in memory twice', async () => {
  const database = changesDatabase();
  const journal = createJournal(database);
  const asked: string[] = [];
  const changes = Array.from({ length: 20 }, (_, index) => ({
    kind: 'create' as const,
    path: `vault/${index}.txt` as VaultPath,
    after: Buffer.from(`${index}\n`),
    mode: null,
  }));
  await journal.append({ id: 'a', at: 1_000, origin: 'o', summary: 's', state: 'applied' }, changes);
  const history = aRepository(database).openHistory({
    ...journal,
    changesOf(id) {
      asked.push(id);
      return journal.changesOf(id);
    },
  });
  await history.record();
  expect(asked).toEqual(['a']);
  expect(await history.readChanges('a')).toHaveLength(changes.length);
});
