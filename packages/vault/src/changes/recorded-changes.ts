import type { Clock } from '../contract/index.ts';
import type { Layout, VaultRoot } from '../vault/index.ts';
import { createChangeDecisions } from './change-decisions.ts';
import type { ChangeDecisions } from './change-decisions.ts';
import { computeDailyActivity, createChangeQueries } from './change-queries.ts';
import type { ChangeQueries } from './change-queries.ts';
import type { Comparer } from './comparer.ts';
import { createFileOrigins } from './file-origins.ts';
import type { FileOrigins } from './file-origins.ts';
import type { History } from './history.ts';
import type { Journal } from './journal.ts';
import type { HistoryReport, HistoryRepository } from './history-repository.ts';
import type { PastFiles } from './past-files.ts';
import type { Stamper } from './stamps.ts';
import type { WriterLock } from './writer-lock.ts';
import type { Writer } from './writer.ts';

/** Access to the history of the vault. */
export type HistoryAccess = {
  /** See `History`. */
  files: History['listFiles'];
  /** See `PastFiles`. */
  readPastFiles: PastFiles['readPastFiles'];
  /** See `History`. */
  completeTip: History['completeTip'];
  /** See `History`. */
  expire: History['expire'];
  /** See `History`. */
  compactHistory: History['compact'];
  /** A full check of history, and the number of changes that it should contain. */
  checkHistory(): Promise<HistoryReport & { recorded: number }>;
  /**
   * Runs `work` while no other Keepsake process changes files or history. `work` has to call `check` regularly: it throws
   * when another process took over because this one was suspended for too long.
   */
  withExclusiveAccess<Value>(work: (check: () => void) => Promise<Value>): Promise<Value>;
};

/** Everything that is based on recorded changes. It creates nothing in a vault without a journal. */
export type RecordedChanges = ChangeQueries &
  FileOrigins &
  ChangeDecisions &
  HistoryAccess &
  Pick<History, 'record' | 'findMissing'> &
  Pick<Writer, 'recentActivity'>;

/** For a vault that Keepsake has never changed. */
export function noRecordedChanges(clock: Clock): RecordedChanges {
  return {
    list: () => [],
    countListed: () => 0,
    days: (count, zone) =>
      computeDailyActivity({ countByAuthor: () => [], noteCountDeltas: () => [] }, clock(), count, zone),
    count: () => 0,
    find: () => null,
    findExpired: () => null,
    laterPaths: () => [],
    movesAfter: () => [],
    position: () => null,
    relocationsSince: (position) => (position === null ? [] : null),
    undonePaths: () => new Set(),
    recentMassDeletion: () => null,
    isUserAuthored: async () => false,
    isLastOwnWrite: async () => false,
    fileVersions: async () => [],
    undo: async () => ({ kind: 'not-found' }),
    restore: async () => ({ kind: 'not-found' }),
    approve: async () => ({ kind: 'not-found' }),
    reject: async () => false,
    files: async () => [],
    readPastFiles: async () => ({ kind: 'no-history' }),
    completeTip: async () => null,
    expire: async () => 0,
    compactHistory: async () => undefined,
    checkHistory: async () => ({
      exists: false,
      damage: null,
      problems: [],
      missingCommits: 0,
      quarantined: [],
      recorded: 0,
    }),
    withExclusiveAccess: (work) => work(() => undefined),
    record: async () => ({ done: [], edited: [] }),
    findMissing: async (paths) => [...paths],
    recentActivity: () => ({ characters: 0, files: 0, wroteWholeFile: () => false }),
  };
}

type Dependencies = {
  root: VaultRoot;
  clock: Clock;
  stamps: Stamper;
  comparer: Comparer;
  journal: Journal;
  writer: Writer;
  /** Held while files are changed. */
  lock: WriterLock;
  history: History;
  /** Held while history is written. */
  historyLock: WriterLock;
  repository: HistoryRepository;
  layout: () => Layout;
};

/** For a vault with databases. */
export function createRecordedChanges(dependencies: Dependencies): RecordedChanges {
  const { journal, writer, lock, history, historyLock, repository } = dependencies;
  return {
    ...createChangeQueries(dependencies),
    ...createFileOrigins(dependencies),
    ...createChangeDecisions(dependencies),
    files: () => history.listFiles(),
    async readPastFiles(until, onFile) {
      const git = repository.exists() ? await repository.open() : null;
      return git === null ? { kind: 'no-history' } : git.readPastFiles(until, onFile);
    },
    completeTip: () => history.completeTip(),
    expire: (...args) => history.expire(...args),
    compactHistory: () => history.compact(),
    async checkHistory() {
      const commits = journal.commits();
      return { ...(await repository.inspect(commits)), recorded: commits.length };
    },
    // The locks are taken in this order, so that writers of notes do not wait while history is being written.
    withExclusiveAccess: (work) =>
      historyLock.withLease((historyLease) =>
        lock.withLease(async (filesLease) => {
          journal.flush();
          return work(() => {
            historyLease.assertHeld();
            filesLease.assertHeld();
          });
        }),
      ),
    record: (paths) => history.record(paths),
    findMissing: (paths) => history.findMissing(paths),
    recentActivity: (connection) => writer.recentActivity(connection),
  };
}
