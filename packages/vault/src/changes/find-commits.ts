import { verifyAndPrune } from './commit-batch.ts';
import { entryFinder, baselineMessage } from './commit-message.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import type { GitHistory } from './git-history.ts';
import type { HistoryPosition } from './history-position.ts';
import type { JournalEntry } from './journal-entry.ts';
import { recordableFiles } from './place-batch.ts';
import type { HistorySession } from './history-repository.ts';
import type { TransactionStore } from './transaction-store.ts';

type Dependencies = HistorySession & { journal: TransactionStore & ExternalEditStore & HistoryPosition };

/**
 * Adopts commits of a process that ended before it could record them in the journal. Otherwise the same entries would be
 * committed twice, or their files would be taken for external edits. Such a process has added either all commits of a batch
 * or none; `limit` is the size of the largest batch.
 */
export async function adoptOrphanedCommits(
  { journal, git, lease }: Dependencies,
  limit: number,
): Promise<void> {
  const entries = journal.listUncommitted(limit);
  if (entries.length === 0) return;
  const entryOf = entryFinder(entries);
  const orphaned: { entry: JournalEntry; commit: string }[] = [];
  // At most one commit without an entry precedes each commit of an entry.
  for (const { commit, message } of await git.recentCommits(2 * entries.length)) {
    const entry = entryOf(message);
    if (entry !== undefined) orphaned.push({ entry, commit });
    else if (message.trimEnd() !== baselineMessage.trimEnd()) break;
  }
  if (orphaned.length === 0) return;
  await verifyAndPrune(
    { journal, git, lease },
    orphaned.map(({ entry: { id }, commit }) => ({ id, commit })),
    orphaned.flatMap(({ entry }) => recordableFiles(entry, journal)),
  );
}

/** Finds the commits of entries that were committed before the journal stored hashes. */
export async function locateCommits(journal: HistoryPosition, git: GitHistory): Promise<void> {
  const entries = journal.listWithoutCommitHash();
  if (entries.length === 0) return;
  const commits = new Map<string, string>();
  const entryOf = entryFinder(entries);
  for (const { commit, message } of await git.messages()) {
    const entry = entryOf(message);
    if (entry !== undefined) commits.set(entry.id, commit);
  }
  journal.setCommitHashes(entries.map(({ id }) => ({ id, commit: commits.get(id) ?? null })));
}
