import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { createFileChange, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { locateCommits } from './find-commits.ts';
import { isRepositoryError } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import type { HistoryPosition } from './history-position.ts';
import type { ExternalFileEdit } from './journal-entry.ts';
import type { HoldHistory, HistoryRepository } from './history-repository.ts';
import type { TransactionStore } from './transaction-store.ts';

type Dependencies = {
  journal: TransactionStore & ExternalEditStore & HistoryPosition;
  repository: HistoryRepository;
  hold: HoldHistory;
};

/**
 * Reads the changes of a transaction, or of one file, byte for byte. There are three cases: the journal still has them,
 * history has them, or history is damaged and has to be quarantined before the rest of it can be read.
 */
export async function readChanges(
  dependencies: Dependencies,
  id: string,
  only?: VaultPath,
): Promise<FileChange[]> {
  const { journal, repository, hold } = dependencies;
  const journaled = journal.changesOf(id, only);
  if (journaled !== null)
    return [
      ...journaled.filter(isFileChange),
      ...(await readFound(repository, journal.externalEditsOf(id, only))),
    ];
  const recorded = await readRecorded(dependencies, id, only).catch(async (error: unknown) => {
    if (!isRepositoryError(error)) throw error;
    await hold(({ git }) => setAsideIfDamaged(git));
    return readRecorded(dependencies, id, only).catch((cause: unknown) => {
      if (!isRepositoryError(cause)) throw cause;
      throw new VaultError('damaged-history', `history no longer contains change ${id.slice(0, 8)}`, {
        hint: 'run: keepsake doctor',
        cause,
      });
    });
  });
  const modes = journal.modesOf(id);
  return recorded.map((change) => ({ ...change, mode: modes.get(change.path) ?? null }));
}

/** Reads external edits that are not committed yet; their previous content is in git. */
async function readFound(
  repository: HistoryRepository,
  found: readonly ExternalFileEdit[],
): Promise<FileChange[]> {
  const ids = found.flatMap(({ before }) => before ?? []);
  const contents = ids.length === 0 ? null : await (await requireGit(repository)).contents(ids);
  return found.flatMap(
    ({ path, before, after }) => createFileChange(path, contents?.get(before ?? '') ?? null, after) ?? [],
  );
}

async function readRecorded(
  { journal, repository, hold }: Dependencies,
  id: string,
  only: VaultPath | undefined,
): Promise<FileChange[]> {
  const git = await requireGit(repository);
  if (journal.commitOf(id) === null) await hold((session) => locateCommits(journal, session.git));
  const commit = journal.commitOf(id);
  if (commit === null) throw new VaultError('damaged-history', 'history has no commit for this change');
  return git.changesOf(commit, only);
}

/** Throws if the repository is damaged, so that it is quarantined; its objects may still be readable. */
async function setAsideIfDamaged(git: GitHistory): Promise<void> {
  const damage = await git.quickCheck();
  if (damage !== null) throw new VaultError('damaged-history', damage);
}

async function requireGit(repository: HistoryRepository): Promise<GitHistory> {
  const git = await repository.open();
  if (git !== null) return git;
  throw new VaultError('io', 'this change is stored in the history, which needs git', {
    hint: 'install git and make sure that it is on the PATH',
  });
}
