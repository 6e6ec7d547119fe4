import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';
import { commitBatch } from './commit-batch.ts';
import { openGitHistory } from './git-history.ts';
import { blobIdOf } from './git-objects.ts';
import { createJournal } from './journal.ts';
import { placeBatch } from './place-batch.ts';

const path = (name: string): VaultPath => `vault/${name}` as VaultPath;
const bytes = (text: string): Buffer => Buffer.from(text);

async function setUp() {
  const journal = createJournal(changesDatabase());
  const git = await openGitHistory(join(temporaryFolder(), 'history.git'), process.env['PATH'] ?? '');
  if (git === null) throw new Error('git is needed');
  const grant = { fence: 1, check: () => undefined };
  const begin = (id: string, name: string, before: string | null, after: string): Promise<void> =>
    journal.begin({ id, at: 1_000, origin: 'o', summary: id, state: 'applied' }, [
      before === null
        ? { kind: 'create', path: path(name), after: bytes(after), mode: null }
        : { kind: 'replace', path: path(name), before: bytes(before), after: bytes(after), mode: null },
    ]);
  return { journal, git, begin, parts: { journal, git, grant, clock: () => 2_000 } };
}

it('leaves out loose edits when a transaction has begun since they were read', async () => {
  const { journal, begin, parts } = await setUp();
  const files = [{ path: path('a.md'), before: null, after: bytes('a') }];
  const loose = { files, newest: journal.newest(), lost: null };
  const placed = await placeBatch(parts, [], loose);
  expect([placed.isLoosePlaced, placed.batch.edits.length]).toEqual([true, 1]);

  await begin('later', 'b.md', null, 'b');
  const late = await placeBatch(parts, journal.unrecorded(9), loose);
  expect([late.isLoosePlaced, late.batch.transactions.map(({ entry }) => entry.id)]).toEqual([
    false,
    [placed.batch.edits[0]?.entry.id, 'later'],
  ]);
  expect(late.batch.edits).toEqual([]);
});

it('commits files as they were found, then edits made outside, ahead of the transaction that met them', async () => {
  const { journal, git, begin, parts } = await setUp();
  await git.add([{ at: 0, message: 'known', files: [{ path: path('known.md'), after: bytes('old') }] }]);
  await begin('of a file that history has never had', 'unseen.md', 'as it was', 'changed');
  await begin('of a file that was edited outside', 'known.md', 'edited', 'changed');

  const { batch } = await placeBatch(parts, journal.unrecorded(9), null);
  expect(batch.edits).toMatchObject([
    {
      precedes: 'of a file that was edited outside',
      files: [{ path: path('known.md'), before: blobIdOf(bytes('old')), after: bytes('edited') }],
    },
  ]);
  await commitBatch(parts, batch);

  const subjects = (await git.newest(9)).map(({ message }) => message.split('\n')[0]);
  expect(subjects.toReversed()).toEqual([
    'known',
    'As it was found',
    'of a file that history has never had',
    'edited vault/known.md',
    'of a file that was edited outside',
  ]);
  expect(journal.unrecorded(9)).toEqual([]);
  expect(journal.changesOf('of a file that was edited outside')).toBeNull();
});
