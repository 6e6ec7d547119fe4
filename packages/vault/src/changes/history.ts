import type { Clock } from '../contract/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { FileChange } from './change.ts';
import { foundMessage } from './commit-message.ts';
import type { ExternalEditStore } from './external-edit-store.ts';
import { isOfHistory } from './git-errors.ts';
import type { HistoryPosition } from './history-position.ts';
import { readChanges } from './read-changes.ts';
import { addFiles, recordFiles } from './record-files.ts';
import type { RecordedEdits } from './record-files.ts';
import { createJournalRecorder } from './record-journal.ts';
import { holdHistory } from './repository.ts';
import type { Repository } from './repository.ts';
import type { TransactionStore } from './transaction-store.ts';
import type { WriterLock } from './writer-lock.ts';

/** What became of the vault, transaction by transaction. Lives in git once it got there, until then in the journal. */
export type History = {
  /**
   * Moves into git what the journal has. Edits made outside are found on the way, and in these files as they are now: they become
   * transactions of their own. Tells which of the files are done with; the others are to be tried again.
   */
  record(paths?: readonly VaultPath[]): Promise<RecordedEdits>;
  /** What a transaction did to files, or only to one, byte for byte; throws when history has lost it. */
  changesOf(id: string, only?: VaultPath): Promise<FileChange[]>;
  /** The files that are there by what it has and the journal has; none where there is no git, or it is damaged. */
  files(): Promise<VaultPath[]>;
  /** Those of these files that history has never had; null once it has had all of them, and where there is no git. */
  missing(paths: readonly VaultPath[]): Promise<VaultPath[] | null>;
  /** Takes in those of these files that it has never had, as they are. Tells which are done with. */
  addMissing(paths: readonly VaultPath[]): Promise<VaultPath[]>;
  /**
   * The newest commit, empty when that can only be told by starting git. Null while it has not had every file.
   */
  completeTip(): Promise<string | null>;
  /** It has had every file: what it does not have from now on is new. */
  setComplete(): Promise<void>;
};

type Parts = {
  root: VaultRoot;
  clock: Clock;
  journal: TransactionStore & ExternalEditStore & HistoryPosition;
  lock: WriterLock;
  repository: Repository;
};

export function createHistory({ root, clock, journal, lock, repository }: Parts): History {
  const hold = holdHistory(lock, repository);
  const recordJournal = createJournalRecorder(journal, clock);
  return {
    async record(paths = []) {
      const isNothing = (): boolean =>
        paths.length === 0 && journal.unrecorded(1).length === 0 && journal.unlocated().length === 0;
      const nothing = { done: [], edited: [] };
      if (isNothing()) return nothing;
      const recorded = await hold(async (session) => {
        if (isNothing()) return nothing;
        const touched = journal.unrecordedPaths();
        // What others have written comes into history first, so that all that is edited since is one change; where they have
        // written nothing, it is one with what they met.
        if (paths.some((path) => touched.has(path))) await recordJournal(session);
        const edits =
          paths.length > 0
            ? await recordFiles({ root, clock, journal, recordJournal }, session, paths)
            : nothing;
        await recordJournal(session);
        return edits;
      });
      // Without git there is nothing to compare with.
      return recorded ?? { done: [...paths], edited: [] };
    },
    changesOf: (id, only) => readChanges({ journal, repository, hold }, id, only),
    async files() {
      const written = journal.unrecordedPaths();
      try {
        const known = await (await repository.open())?.files();
        return [...new Set([...(known?.keys() ?? []), ...written])];
      } catch (error) {
        if (isOfHistory(error)) return [...written];
        throw error;
      }
    },
    missing: (paths) =>
      hold(async ({ git }) => {
        if (await git.isComplete()) return null;
        const known = await git.files();
        return paths.filter((path) => !known.has(path));
      }),
    async addMissing(paths) {
      const done = await hold(async (session) => {
        await recordJournal(session);
        return addFiles({ root, clock, journal }, session, paths);
      });
      return done ?? [...paths];
    },
    async completeTip() {
      const git = repository.isThere() ? await repository.open() : null;
      return git !== null && (await git.isComplete()) ? (git.tip() ?? '') : null;
    },
    async setComplete() {
      await hold(async ({ git }) => {
        // Of a vault without files there is no commit yet.
        if (!(await git.hasCommits())) await git.add([{ at: clock(), message: foundMessage, files: [] }]);
        await git.setComplete();
      });
    },
  };
}
