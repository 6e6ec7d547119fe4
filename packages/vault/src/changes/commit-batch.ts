import type { Clock } from '../contract/index.ts';
import { foundMessage, messageOf } from './commit-message.ts';
import { deletionsFirst } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import type { HistoryPosition, Located } from './history-position.ts';
import type { JournalEntry } from './journal-entry.ts';
import { readLeft } from './place-batch.ts';
import type { Batch } from './place-batch.ts';
import type { Missing, Recordable } from './place-outside-edits.ts';
import type { HistorySession } from './repository.ts';

type Parts = HistorySession & { journal: HistoryPosition; clock: Clock };

/** A commit to be, with the id of its transaction; null when it is of none. */
type Commit = HistoryCommit & { id: string | null };

/** Gives everything of a batch its commit. There are three kinds: of a transaction, of edits made outside, of files as they were found. */
export async function commitBatch({ journal, git, grant, clock }: Parts, batch: Batch): Promise<void> {
  const { transactions, edits, missing } = batch;
  const contents = await readLeft(
    git,
    missing.flatMap(({ before, bytes }) => (bytes === undefined ? (before ?? []) : [])),
  );
  const commitsAhead = (id: string | null): Commit[] => [
    ...commitAsFound(
      missing.filter(({ ahead }) => ahead === id),
      contents,
      clock,
    ),
    ...edits.filter(({ precedes }) => precedes === id).map(({ entry, files }) => commitOfEntry(entry, files)),
  ];
  const commits = [
    ...transactions.flatMap(({ entry, files }) => [...commitsAhead(entry.id), commitOfEntry(entry, files)]),
    ...commitsAhead(null),
  ];
  if (commits.length === 0) return;
  const hashes = await git.add(commits);
  const located = commits.map(({ id }, index) => ({ id, commit: hashes[index] ?? null }));
  const files = [...transactions, ...edits].flatMap((each): readonly Recordable[] => each.files);
  await forgetRead({ journal, git, grant }, located, files);
}

/** Of a transaction, or of edits made outside, which have an entry by now. */
function commitOfEntry(entry: JournalEntry, files: HistoryCommit['files']): Commit {
  return { id: entry.id, at: entry.at, message: messageOf(entry), files: deletionsFirst(files) };
}

/** Of files that history should have had; none when it has had all. */
function commitAsFound(
  missing: readonly Missing[],
  contents: ReadonlyMap<string, Buffer>,
  clock: Clock,
): Commit[] {
  if (missing.length === 0) return [];
  const files = missing.map(({ path, before, bytes }) => ({
    path,
    after: bytes ?? contents.get(before ?? '') ?? null,
  }));
  return [{ id: null, at: clock(), message: foundMessage, files }];
}

/** Once history has given all of it back the journal forgets it. */
export async function forgetRead(
  { journal, git, grant }: Omit<Parts, 'clock'>,
  commits: readonly { id: string | null; commit: string | null }[],
  files: readonly Recordable[],
): Promise<void> {
  const sides = files.flatMap(({ bytes, after }) => [bytes, after]);
  await git.readBack(
    commits.flatMap(({ commit }) => commit ?? []),
    sides.filter((bytes) => bytes != null),
  );
  grant.check();
  journal.setRecorded(commits.flatMap(({ id, commit }): Located[] => (id === null ? [] : [{ id, commit }])));
}
