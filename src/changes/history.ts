import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { afterOf, beforeOf, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { blobIdOf, isOfHistory } from './git.ts';
import type { GitHistory, HistoryCommit } from './git.ts';
import type { Journal, JournalEntry, Located } from './journal.ts';
import type { Repository } from './repository.ts';
import type { WriterLock } from './writer-lock.ts';

/** What became of the vault, transaction by transaction. Lives in git once it got there, until then in the journal. */
export type History = {
  /** Moves into git what the journal has; edits made outside are found on the way and get commits of their own. */
  record(): Promise<void>;
  /** What a transaction did to files, or only to one, byte for byte; throws when history has lost it. */
  changesOf(id: string, only?: VaultPath): Promise<FileChange[]>;
};

const batch = 100;
const mostTogether = 100_000;

type Parts = { journal: Journal; lock: WriterLock; repository: Repository };

export function createHistory({ journal, lock, repository }: Parts): History {
  const readRecorded = async (id: string, only?: VaultPath): Promise<FileChange[]> => {
    const git = await repository.open();
    if (git === null)
      throw new VaultError('io', 'what this change did is kept in history, which needs git', {
        mend: 'install git and make sure that it is in PATH',
      });
    if (journal.commitOf(id) === null)
      await lock.hold((grant) => repository.use(grant, (each) => locate(journal, each)));
    const commit = journal.commitOf(id);
    if (commit === null) throw new VaultError('damaged-history', 'no commit of history is of this change');
    return git.changesOf(commit, only);
  };
  /** Sets history aside if it is damaged: its objects may be whole. */
  const look = async (git: GitHistory): Promise<void> => {
    const damage = await git.damage();
    if (damage !== null) throw new VaultError('damaged-history', damage);
  };
  return {
    record: () =>
      lock.hold(async (grant) => {
        if (journal.unrecorded(1).length === 0 && journal.unlocated().length === 0) return;
        await repository.use(grant, async (git) => {
          await locate(journal, git);
          // Not until nothing is left: others may go on writing for as long as somebody waits for this.
          for (let left = journal.unrecorded(mostTogether).length; left > 0; left -= batch) {
            const recorded = await addAll(journal.unrecorded(batch), journal, git);
            grant.check();
            journal.setRecorded(recorded);
          }
        });
      }),
    async changesOf(id, only) {
      const kept = journal.changesOf(id, only);
      if (kept !== null) return kept.filter(isFileChange);
      const recorded = await readRecorded(id, only).catch(async (error: unknown) => {
        if (!isOfHistory(error)) throw error;
        await lock.hold((grant) => repository.use(grant, look));
        return readRecorded(id, only).catch((cause: unknown) => {
          if (!isOfHistory(cause)) throw cause;
          throw new VaultError('damaged-history', `history has lost what ${id.slice(0, 8)} changed`, {
            mend: 'see: keepsake doctor',
            cause,
          });
        });
      });
      const modes = journal.modesOf(id);
      return recorded.map((change) => ({ ...change, mode: modes.get(change.path) ?? null }));
    },
  };
}

/** Gives the entries their commits, and tells which they are. */
async function addAll(entries: JournalEntry[], journal: Journal, git: GitHistory): Promise<Located[]> {
  const transactions = entries.map((entry) => ({
    entry,
    changes: (journal.changesOf(entry.id) ?? []).filter(isFileChange),
  }));
  const commits = await commitsFor(transactions, git);
  const hashes = await git.add(commits);
  // After this the journal forgets them.
  const sides = transactions.flatMap(({ changes }) =>
    changes.flatMap((each) => [beforeOf(each), afterOf(each)]),
  );
  await git.readBack(
    hashes,
    sides.filter((bytes) => bytes !== null),
  );
  return commits.flatMap(({ id }, index) => (id === null ? [] : [{ id, commit: hashes[index] ?? null }]));
}

/**
 * Finds the commits of what was recorded before hashes were kept. The words of a change may contain what looks like the
 * line of another; only a message that is what was written for this entry, from the first word to the last, is its own.
 */
async function locate(journal: Journal, git: GitHistory): Promise<void> {
  const entries = journal.unlocated();
  if (entries.length === 0) return;
  const commits = new Map<string, string>();
  for (const { commit, message } of await git.messages()) commits.set(message.trimEnd(), commit);
  journal.setLocated(
    entries.map((entry) => ({ id: entry.id, commit: commits.get(messageOf(entry).trimEnd()) ?? null })),
  );
}

/** The commits of these transactions; those without an id are edits made outside. */
async function commitsFor(
  transactions: readonly { entry: JournalEntry; changes: readonly FileChange[] }[],
  git: GitHistory,
): Promise<(HistoryCommit & { id: string | null })[]> {
  const known = await git.blobIds([
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
      ...(edits.length > 0 ? [{ id: null, at: entry.at, message: 'Edited outside\n', files: edits }] : []),
      { id: entry.id, at: entry.at, message: messageOf(entry), files },
    ];
  });
}

/** For whoever reads it with git. Which commit belongs to which change, only the journal says. */
function messageOf({ id, origin, summary }: JournalEntry): string {
  return `${summary.replaceAll(/\s+/g, ' ')}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
}
