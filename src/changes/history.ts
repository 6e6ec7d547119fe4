import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { blobIdOf } from './git.ts';
import type { GitHistory, HistoryCommit } from './git.ts';
import type { Journal, JournalEntry } from './journal.ts';
import type { WriterLock } from './writer-lock.ts';

/** What became of the vault, transaction by transaction. Lives in git once it got there, until then in the journal. */
export type History = {
  /** Moves into git what the journal has; edits made outside are found on the way and get commits of their own. */
  record(): Promise<void>;
  /** What a transaction did to files, byte for byte. */
  changesOf(id: string): Promise<FileChange[]>;
};

const batch = 100;

type Parts = { journal: Journal; lock: WriterLock; git: () => Promise<GitHistory | null> };

export function createHistory({ journal, lock, git }: Parts): History {
  return {
    record: () =>
      lock.hold(async (grant) => {
        for (
          let entries = journal.unrecorded(batch);
          entries.length > 0;
          entries = journal.unrecorded(batch)
        ) {
          const repository = await git();
          if (repository === null) return;
          await repository.add(await commitsFor(entries, journal, repository));
          grant.check();
          journal.setRecorded(entries.map(({ id }) => id));
        }
      }),
    async changesOf(id) {
      const kept = journal.changesOf(id);
      if (kept !== null) return kept.filter(isFileChange);
      const modes = journal.modesOf(id);
      const recorded = (await (await git())?.changesOf(id)) ?? [];
      return recorded.map((change) => ({ ...change, mode: modes.get(change.path) ?? null }));
    },
  };
}

async function commitsFor(
  entries: JournalEntry[],
  journal: Journal,
  repository: GitHistory,
): Promise<HistoryCommit[]> {
  const transactions = entries.map((entry) => ({
    entry,
    changes: (journal.changesOf(entry.id) ?? []).filter(isFileChange),
  }));
  const known = await repository.blobIds([
    ...new Set(transactions.flatMap(({ changes }) => changes.map(({ path }) => path))),
  ]);
  const blobOf = (bytes: Buffer | null): string | undefined => (bytes === null ? undefined : blobIdOf(bytes));
  return transactions.flatMap(({ entry, changes }) => {
    const outside = changes.filter((change) => known.get(change.path) !== blobOf(beforeOf(change)));
    const edits = outside.map((change) => ({ path: change.path, after: beforeOf(change) }));
    for (const change of changes) {
      if (change.kind === 'remove') known.delete(change.path);
      else known.set(change.path, blobIdOf(change.after));
    }
    const files = changes.map((change) => ({ path: change.path, after: afterOf(change) }));
    return [
      ...(edits.length > 0 ? [{ at: entry.at, message: 'Edited outside\n', files: edits }] : []),
      { at: entry.at, message: messageOf(entry), files },
    ];
  });
}

function messageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}
