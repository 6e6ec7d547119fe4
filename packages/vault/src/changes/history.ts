import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import { baselineMessage } from './commit-message.ts';
import type { ExpiredChanges } from './expired-changes.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { isRepositoryError } from './git-errors.ts';
import type { GitHistory } from './git-history.ts';
import type { HistoryPosition } from './history-position.ts';
import { readChanges } from './read-changes.ts';
import { addFiles, recordFiles } from './record-files.ts';
import type { RecordedEdits } from './record-files.ts';
import { createJournalRecorder } from './record-journal.ts';
import { holdHistory } from './history-repository.ts';
import type { HistoryRepository } from './history-repository.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { WriterLock } from './writer-lock.ts';

/**
 * The history of the vault, transaction by transaction. Transactions are stored in git, and until they are committed
 * there, in the journal.
 */
export type History = {
  /**
   * Commits the transactions of the journal to git. Detects external edits in their files and in `paths`, and records
   * them as transactions of their own. If a file in `awaited` was deleted, that is not recorded yet unless a file was
   * created: it may be the first half of a move. Returns the files that need no further attempt.
   */
  record(paths?: readonly VaultPath[], awaited?: ReadonlySet<VaultPath>): Promise<RecordedEdits>;
  /**
   * The changes of a transaction, or only those of one of its files, byte for byte; throws if history has lost them.
   */
  readChanges(id: string, only?: VaultPath): Promise<FileChange[]>;
  /**
   * The files that exist according to history and the journal; only those of the journal when git is missing or the
   * repository is damaged.
   */
  listFiles(): Promise<VaultPath[]>;
  /** The files among `paths` that history has never contained; null when the baseline is complete or git is missing. */
  findMissing(paths: readonly VaultPath[]): Promise<VaultPath[] | null>;
  /** Adds the files among `paths` that history has never contained. Returns the files that need no further attempt. */
  addToBaseline(paths: readonly VaultPath[]): Promise<VaultPath[]>;
  /** The newest commit; empty if it cannot be read without starting git, null while the baseline is incomplete. */
  completeTip(): Promise<string | null>;
  /**
   * Removes the transactions before a time from the journal and from git for good; see `ExpiredChanges`. If it is
   * interrupted, the next call finishes it. Returns their number; 0 when git is missing.
   */
  expire(before: number, unfinished: ReadonlySet<string>): Promise<number>;
  /** Makes the stored history smaller if that saves much. */
  compact(): Promise<void>;
  /** Marks the baseline as complete: a file that history does not contain is new from now on. */
  markBaselineComplete(): Promise<void>;
};

type Dependencies = {
  root: VaultRoot;
  clock: Clock;
  journal: TransactionStore & ExternalEditStore & HistoryPosition & ExpiredChanges;
  lock: WriterLock;
  repository: HistoryRepository;
};

export function createHistory({ root, clock, journal, lock, repository }: Dependencies): History {
  const hold = holdHistory(lock, repository);
  const recordJournal = createJournalRecorder(journal, clock);
  let canPack = true;
  /** History is complete without it, so a failure is not an error, and is not tried again by this process. */
  const pack = async (git: GitHistory): Promise<void> => {
    if (canPack) await git.pack().catch(() => void (canPack = false));
  };
  return {
    async record(paths = [], awaited = new Set()) {
      const isNothing = (): boolean =>
        paths.length === 0 &&
        journal.listUncommitted(1).length === 0 &&
        journal.listWithoutCommitHash().length === 0;
      const nothing = { done: [], edited: [] };
      if (isNothing()) return nothing;
      const recorded = await hold(async (session) => {
        if (isNothing()) return nothing;
        const touched = journal.uncommittedPaths();
        // If a pending transaction touches one of these files, all pending transactions are committed first, so that
        // all later edits form one change. Otherwise, the edits are grouped with those found in the files of pending
        // transactions.
        if (paths.some((path) => touched.has(path))) await recordJournal(session);
        const edits =
          paths.length > 0
            ? await recordFiles({ root, clock, journal, recordJournal }, session, paths, awaited)
            : nothing;
        await recordJournal(session);
        await pack(session.git);
        return edits;
      });
      // Without git there is no history to compare with.
      return recorded ?? { done: [...paths], edited: [] };
    },
    readChanges: (id, only) => readChanges({ journal, repository, hold }, id, only),
    async listFiles() {
      const written = journal.uncommittedPaths();
      try {
        const known = await (await repository.open())?.files();
        return [...new Set([...(known?.keys() ?? []), ...written])];
      } catch (error) {
        if (isRepositoryError(error)) return [...written];
        throw error;
      }
    },
    findMissing: (paths) =>
      hold(async ({ git }) => {
        if (await git.hasFullBaseline()) return null;
        const known = await git.files();
        return paths.filter((path) => !known.has(path));
      }),
    async addToBaseline(paths) {
      const done = await hold(async (session) => {
        await recordJournal(session);
        return addFiles({ root, clock, journal }, session, paths);
      });
      return done ?? [...paths];
    },
    async completeTip() {
      const git = repository.exists() ? await repository.open() : null;
      return git !== null && (await git.hasFullBaseline()) ? (git.tip() ?? '') : null;
    },
    async expire(before, unfinished) {
      const expired = await hold(async ({ git, lease }) => {
        const wasPending = git.isCutPending();
        git.startCut();
        lease.assertHeld();
        const count = journal.expire(before, unfinished);
        if (count === 0 && !wasPending) git.cancelCut();
        else await git.finishCut(before, new Set(journal.commits()));
        return count;
      });
      return expired ?? 0;
    },
    async compact() {
      if (repository.exists()) await hold(({ git }) => git.compact());
    },
    async markBaselineComplete() {
      await hold(async ({ git }) => {
        // A vault without files has no commit yet.
        if (!(await git.hasCommits())) await git.add([{ at: clock(), message: baselineMessage, files: [] }]);
        await git.markBaselineComplete();
      });
    },
  };
}
