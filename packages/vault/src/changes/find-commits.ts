import { forgetRead } from './commit-batch.ts';
import { foundMessage, messageOf } from './commit-message.ts';
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
  const entries = new Map(journal.unrecorded(most).map((entry) => [messageOf(entry).trimEnd(), entry]));
  if (entries.size === 0) return;
  const left: { entry: JournalEntry; commit: string }[] = [];
  // At most one that is nobody's goes ahead of each.
  for (const { commit, message } of await git.newest(2 * entries.size)) {
    const entry = entries.get(message.trimEnd());
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

/**
 * Finds the commits of what was recorded before hashes were kept. The words of a change may contain what looks like the
 * line of another; only a message that is what was written for this entry, from the first word to the last, is its own.
 */
export async function locate(journal: HistoryPosition, git: GitHistory): Promise<void> {
  const entries = journal.unlocated();
  if (entries.length === 0) return;
  const commits = new Map<string, string>();
  for (const { commit, message } of await git.messages()) commits.set(message.trimEnd(), commit);
  journal.setLocated(
    entries.map((entry) => ({ id: entry.id, commit: commits.get(messageOf(entry).trimEnd()) ?? null })),
  );
}
