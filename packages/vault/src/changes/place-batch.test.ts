import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changesDatabase } from '../../../../test/changes-database.ts';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import type { VaultPath } from '../vault/index.ts';
import { commitBatch } from './commit-batch.ts';
import { openGitHistory } from './git-history.ts';
import { hashBlob } from './git-objects.ts';
import { createJournal } from './journal.ts';
import { placeBatch } from './place-batch.ts';

const path = (name: string): VaultPath => `vault/${name}` as VaultPath;
const bytes = (text: string): Buffer => Buffer.from(text);

async function setUp() {
  const journal = createJournal(changesDatabase());
  const git = await openGitHistory(join(temporaryFolder(), 'history.git'), process.env['PATH'] ?? '');
  if (git === null) throw new Error('git is needed');
  const lease = { fence: 1, assertHeld: () => undefined };
  const begin = (id: string, name: string, before: string | null, after: string): Promise<void> =>
    journal.append({ id, at: 1_000, origin: 'o', summary: id, state: 'applied' }, [
      before === null
        ? { kind: 'create', path: path(name), after: bytes(after), mode: null }
        : { kind: 'replace', path: path(name), before: bytes(before), after: bytes(after), mode: null },
    ]);
  return { journal, git, begin, parts: { journal, git, lease, clock: () => 2_000 } };
}

it('a batch leaves out external edits if a transaction has begun since they were read', async () => {
  const { journal, begin, parts } = await setUp();
  const files = [{ path: path('a.md'), before: null, after: bytes('a') }];
  const unplaced = { files, sequence: journal.latestSequence(), lost: null };
  const placed = await placeBatch(parts, [], unplaced);
  expect([placed.arePlaced, placed.batch.edits.length]).toEqual([true, 1]);

  await begin('later', 'b.md', null, 'b');
  const late = await placeBatch(parts, journal.listUncommitted(9), unplaced);
  expect([late.arePlaced, late.batch.transactions.map(({ entry }) => entry.id)]).toEqual([
    false,
    [placed.batch.edits[0]?.entry.id, 'later'],
  ]);
  expect(late.batch.edits).toEqual([]);
});

it('a batch commits external edits, and files missing from history, before the transactions that overwrote them', async () => {
  const { journal, git, begin, parts } = await setUp();
  await git.add([{ at: 0, message: 'known', files: [{ path: path('known.md'), after: bytes('old') }] }]);
  await begin('change of a file unknown to history', 'unseen.md', 'as it was', 'changed');
  await begin('change of an externally edited file', 'known.md', 'edited', 'changed');

  const { batch } = await placeBatch(parts, journal.listUncommitted(9), null);
  expect(batch.edits).toMatchObject([
    {
      precedes: 'change of an externally edited file',
      files: [{ path: path('known.md'), before: hashBlob(bytes('old')), after: bytes('edited') }],
    },
  ]);
  await commitBatch(parts, batch);

  const subjects = (await git.recentCommits(9)).map(({ message }) => message.split('\n')[0]);
  expect(subjects.toReversed()).toEqual([
    'known',
    'As it was found',
    'change of a file unknown to history',
    'edited vault/known.md',
    'change of an externally edited file',
  ]);
  expect(journal.listUncommitted(9)).toEqual([]);
  expect(journal.changesOf('change of an externally edited file')).toBeNull();
});
