import { forgetRead } from './commit-batch.ts';
import { entryFinder, foundMessage } from './commit-message.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import type { GitHistory } from './git-history.ts';
import type { HistoryPosition } from './history-position.ts';
import type { JournalEntry } from './journal-entry.ts';
import { recordableFiles } from './place-batch.ts';
import type { HistorySession } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';

type Parts = HistorySession & { journal: TransactionStore & ExternalEditStore & HistoryPosition };

/**
 * A process that ended before the journal knew has left commits of these entries, all of what it added or nothing: they must not
 * come into history twice, nor be taken for what somebody else has made of the files. `most` is how many it can have left.
 */
export async function takeLeft({ journal, git, grant }: Parts, most: number): Promise<void> {
  const entries = journal.unrecorded(most);
  if (entries.length === 0) return;
  const entryOf = entryFinder(entries);
  const left: { entry: JournalEntry; commit: string }[] = [];
  // At most one that is nobody's goes ahead of each.
  for (const { commit, message } of await git.newest(2 * entries.length)) {
    const entry = entryOf(message);
    if (entry !== undefined) left.push({ entry, commit });
    else if (message.trimEnd() !== foundMessage.trimEnd()) break;
  }
  if (left.length === 0) return;
  await forgetRead(
    { journal, git, grant },
    left.map(({ entry: { id }, commit }) => ({ id, commit })),
    left.flatMap(({ entry }) => recordableFiles(entry, journal)),
  );
}

/** Finds the commits of entries that were recorded before the journal kept hashes. */
export async function locate(journal: HistoryPosition, git: GitHistory): Promise<void> {
  const entries = journal.unlocated();
  if (entries.length === 0) return;
  const commits = new Map<string, string>();
  const entryOf = entryFinder(entries);
  for (const { commit, message } of await git.messages()) {
    const entry = entryOf(message);
    if (entry !== undefined) commits.set(entry.id, commit);
  }
  journal.setLocated(entries.map(({ id }) => ({ id, commit: commits.get(id) ?? null })));
}
