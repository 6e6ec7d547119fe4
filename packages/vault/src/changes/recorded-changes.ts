import type { Clock } from '../contract/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { createChangeDecisions } from './change-decisions.ts';
import type { ChangeDecisions } from './change-decisions.ts';
import { changedDays, createChangeQueries } from './change-queries.ts';
import type { ChangeQueries } from './change-queries.ts';
import type { Comparer } from './comparer.ts';
import { createFileOrigins } from './file-origins.ts';
import type { FileOrigins } from './file-origins.ts';
import type { History } from './history.ts';
import type { Journal } from './journal.ts';
import type { HistoryLook, Repository } from './repository.ts';
import type { Stamps } from './stamps.ts';
import type { WriterLock } from './writer-lock.ts';
import type { Writer } from './writer.ts';

/** What is known of the vault by its history. */
export type HistoryAccess = {
  /** See `History`. */
  files: History['files'];
  /** See `History`. */
  completeTip: History['completeTip'];
  /** What history is like, read from end to end, and of how many changes it should know. */
  lookAtHistory(): Promise<HistoryLook & { recorded: number }>;
  /**
   * Works while nobody who goes through here changes files or history. `check` is to be called every now and then: it throws
   * when another process took over because this one was stopped for too long.
   */
  whileStill<Value>(work: (check: () => void) => Promise<Value>): Promise<Value>;
};

/** Everything that needs what was recorded, and adds nothing to a vault that has no records. */
export type RecordedChanges = ChangeQueries &
  FileOrigins &
  ChangeDecisions &
  HistoryAccess &
  Pick<History, 'record' | 'missing'> &
  Pick<Writer, 'lately'>;

/** Of a vault that Keepsake has never changed. */
export function noRecordedChanges(clock: Clock): RecordedChanges {
  return {
    list: () => [],
    days: (count, zone) => changedDays({ counts: () => [], growth: () => [] }, clock(), count, zone),
    count: () => 0,
    find: () => null,
    takenBack: () => new Set(),
    loss: () => null,
    isPersons: async () => false,
    isAsLeft: async () => false,
    versionsOf: async () => [],
    undo: async () => ({ kind: 'unknown' }),
    restore: async () => ({ kind: 'unknown' }),
    approve: async () => ({ kind: 'unknown' }),
    reject: async () => false,
    files: async () => [],
    completeTip: async () => null,
    lookAtHistory: async () => ({
      isThere: false,
      damage: null,
      problems: [],
      lost: 0,
      aside: [],
      recorded: 0,
    }),
    whileStill: (work) => work(() => undefined),
    record: async () => ({ done: [], edited: [] }),
    missing: async (paths) => [...paths],
    lately: () => ({ characters: 0, files: 0, isOwn: () => false }),
  };
}

type Parts = {
  root: VaultRoot;
  clock: Clock;
  stamps: Stamps;
  comparer: Comparer;
  journal: Journal;
  writer: Writer;
  /** Held by whoever changes files. */
  lock: WriterLock;
  history: History;
  /** Held by whoever writes into history. */
  historian: WriterLock;
  repository: Repository;
};

/** Of a vault with databases. */
export function createRecordedChanges(parts: Parts): RecordedChanges {
  const { journal, writer, lock, history, historian, repository } = parts;
  return {
    ...createChangeQueries(parts),
    ...createFileOrigins(parts),
    ...createChangeDecisions(parts),
    files: () => history.files(),
    completeTip: () => history.completeTip(),
    async lookAtHistory() {
      const commits = journal.commits();
      return { ...(await repository.look(commits)), recorded: commits.length };
    },
    // In this order: while history is being written, nobody has to wait with a note.
    whileStill: (work) =>
      historian.hold((historyGrant) =>
        lock.hold(async (filesGrant) => {
          journal.flush();
          return work(() => {
            historyGrant.check();
            filesGrant.check();
          });
        }),
      ),
    record: (paths) => history.record(paths),
    missing: (paths) => history.missing(paths),
    lately: (connection) => writer.lately(connection),
  };
}
