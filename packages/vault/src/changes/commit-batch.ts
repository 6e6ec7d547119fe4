import type { Clock } from '../contract/index.ts';
import { baselineMessage, formatCommitMessage } from './commit-message.ts';
import { sortDeletionsFirst } from './git-import.ts';
import type { HistoryCommit } from './git-import.ts';
import type { HistoryPosition, CommitLocation } from './history-position.ts';
import type { JournalEntry } from './journal-entry.ts';
import { readAvailableBlobs } from './place-batch.ts';
import type { Batch } from './place-batch.ts';
import type { Missing, Recordable } from './order-external-edits.ts';
import type { HistorySession } from './history-repository.ts';

type Dependencies = HistorySession & { journal: HistoryPosition; clock: Clock };

/** A commit to add, with the id of its transaction; null when it has none. */
type Commit = HistoryCommit & { id: string | null };

/** Commits a batch. Each commit contains a transaction, external edits, or files that history had not recorded yet. */
export async function commitBatch({ journal, git, lease, clock }: Dependencies, batch: Batch): Promise<void> {
  const { transactions, edits, missing } = batch;
  const contents = await readAvailableBlobs(
    git,
    missing.flatMap(({ before, bytes }) => (bytes === undefined ? (before ?? []) : [])),
  );
  const commitsAhead = (id: string | null): Commit[] => [
    ...commitAsFound(
      missing.filter(({ beforeId }) => beforeId === id),
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
  await verifyAndPrune({ journal, git, lease }, located, files);
}

/** The commit for a journal entry: a transaction, or external edits. */
function commitOfEntry(entry: JournalEntry, files: HistoryCommit['files']): Commit {
  return {
    id: entry.id,
    at: entry.at,
    message: formatCommitMessage(entry),
    files: sortDeletionsFirst(files),
  };
}

/** A commit that records files missing from history, as they were found; empty when none is missing. */
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
  return [{ id: null, at: clock(), message: baselineMessage, files }];
}

/** Verifies that history contains the commits and the bytes of the files, then removes these bytes from the journal. */
export async function verifyAndPrune(
  { journal, git, lease }: Omit<Dependencies, 'clock'>,
  commits: readonly { id: string | null; commit: string | null }[],
  files: readonly Recordable[],
): Promise<void> {
  const sides = files.flatMap(({ bytes, after }) => [bytes, after]);
  await git.verify(
    commits.flatMap(({ commit }) => commit ?? []),
    sides.filter((bytes) => bytes != null),
  );
  lease.assertHeld();
  journal.markCommitted(
    commits.flatMap(({ id, commit }): CommitLocation[] => (id === null ? [] : [{ id, commit }])),
  );
}
