import { VaultError } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { fileChange, isFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { locate } from './find-commits.ts';
import { isOfHistory } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import type { HistoryPosition } from './history-position.ts';
import type { FoundFile } from './journal-entry.ts';
import type { HoldHistory, Repository } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';

type Parts = {
  journal: TransactionStore & ExternalEditStore & HistoryPosition;
  repository: Repository;
  hold: HoldHistory;
};

/**
 * What a transaction did to files, or only to one, byte for byte. Three cases: the journal still has it, history has it, or history is
 * damaged and has to be set aside before what is left of it can be read.
 */
export async function readChanges(parts: Parts, id: string, only?: VaultPath): Promise<FileChange[]> {
  const { journal, repository, hold } = parts;
  const journaled = journal.changesOf(id, only);
  if (journaled !== null)
    return [...journaled.filter(isFileChange), ...(await readFound(repository, journal.foundOf(id, only)))];
  const recorded = await readRecorded(parts, id, only).catch(async (error: unknown) => {
    if (!isOfHistory(error)) throw error;
    await hold(({ git }) => setAsideIfDamaged(git));
    return readRecorded(parts, id, only).catch((cause: unknown) => {
      if (!isOfHistory(cause)) throw cause;
      throw new VaultError('damaged-history', `history has lost what ${id.slice(0, 8)} changed`, {
        mend: 'see: keepsake doctor',
        cause,
      });
    });
  });
  const modes = journal.modesOf(id);
  return recorded.map((change) => ({ ...change, mode: modes.get(change.path) ?? null }));
}

/** What was edited outside and is not in git yet: what stood there before is. */
async function readFound(repository: Repository, found: readonly FoundFile[]): Promise<FileChange[]> {
  const ids = found.flatMap(({ before }) => before ?? []);
  const contents = ids.length === 0 ? null : await (await openOrExplain(repository)).contents(ids);
  return found.flatMap(
    ({ path, before, after }) => fileChange(path, contents?.get(before ?? '') ?? null, after) ?? [],
  );
}

async function readRecorded(
  { journal, repository, hold }: Parts,
  id: string,
  only: VaultPath | undefined,
): Promise<FileChange[]> {
  const git = await openOrExplain(repository);
  if (journal.commitOf(id) === null) await hold((session) => locate(journal, session.git));
  const commit = journal.commitOf(id);
  if (commit === null) throw new VaultError('damaged-history', 'no commit of history is of this change');
  return git.changesOf(commit, only);
}

/** The repository sets history aside when work on it finds damage: its objects may be whole. */
async function setAsideIfDamaged(git: GitHistory): Promise<void> {
  const damage = await git.damage();
  if (damage !== null) throw new VaultError('damaged-history', damage);
}

async function openOrExplain(repository: Repository): Promise<GitHistory> {
  const git = await repository.open();
  if (git !== null) return git;
  throw new VaultError('io', 'what this change did is kept in history, which needs git', {
    mend: 'install git and make sure that it is in PATH',
  });
}
