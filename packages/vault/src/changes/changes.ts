import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { createLayoutReader, isDatabaseCorrupt } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { ChangeDecisions } from './change-decisions.ts';
import type { ChangeQueries } from './change-queries.ts';
import { createComparer } from './comparer.ts';
import type { FileOrigins } from './file-origins.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import { createReplacedFiles } from './late-writes.ts';
import { createRecordedChanges, noRecordedChanges } from './recorded-changes.ts';
import type { HistoryAccess, RecordedChanges } from './recorded-changes.ts';
import type { RecordedEdits } from './record-files.ts';
import { createRepository } from './history-repository.ts';
import { createStamps } from './stamps.ts';
import type { Stamper } from './stamps.ts';
import { createWriterLock } from './writer-lock.ts';
import { createWriter } from './writer.ts';
import type { CheckQuota, CommitListener, Writer } from './writer.ts';

/** The changes of a vault: the writer, queries, decisions and history. */
export type Changes = ChangeQueries &
  FileOrigins &
  ChangeDecisions &
  HistoryAccess & {
    writer: Writer;
    stamps: Stamper;
    /** Collects late writes to replaced files and brings history up to date. Writers do not wait for it. */
    record(): Promise<void>;
    /**
     * Like `record`, and also records external edits of these files; see `History` for `awaited`. Returns the files that
     * need no further attempt.
     */
    recordExternalEdits: (
      paths: readonly VaultPath[],
      awaited?: ReadonlySet<VaultPath>,
    ) => Promise<RecordedEdits>;
    /** Adds all files to history, so that a file deleted before its first change can be restored; see `History`. */
    baseline: Pick<History, 'findMissing' | 'addToBaseline' | 'markBaselineComplete'>;
    /** Writes pending states. Call it before the databases are closed. */
    flush(): void;
  };

type ChangesDatabases = {
  folder: string;
  durable: Database;
  locks: Database;
  leases?: LeaseKeeper;
  /** Called when another process has taken over a lock. */
  onLostLock?: () => void;
  /** Throws when the databases in the folder were replaced: anything written to the open ones would be lost. */
  assertNotReplaced: () => void;
};

/**
 * Access to the databases of the change journal. They are opened on first use, so that a process that only reads opens
 * none.
 */
type ChangesState = {
  /** Whether a journal exists; if not, there is nothing to recover and nothing to list. */
  hasDurable(): boolean;
  /** Turns the folder into a vault if it is not one yet. Called before every write. */
  ensureAdopted(): string;
  /** Builds a value from the databases, and rebuilds it when the first write has moved them. */
  derive<Made>(make: (databases: ChangesDatabases) => Made): {
    get(): Made;
    /** Null while nothing is open. */
    peek(): Made | null;
  };
};

type Dependencies = {
  root: VaultRoot;
  clock: Clock;
  listeners: readonly CommitListener[];
  state: ChangesState;
  /** The search path for git. */
  searchPath: string;
  /** Wraps the journal so that another store also receives its entries. */
  replicate?: ((local: Journal, durable: Database) => Journal) | undefined;
  checkQuota?: CheckQuota | undefined;
  /** Does not recover from a crash. */
  isPassive?: boolean;
};

/** Opens the changes of a vault, after recovering from a possible crash. */
export async function openChanges(dependencies: Dependencies): Promise<Changes> {
  const { root, clock, state } = dependencies;
  const stamps = createStamps(root);
  const components = state.derive((databases) => openAll(databases, dependencies, stamps));
  const none = noRecordedChanges(clock);
  /** Evaluated on each call, because the first write creates the databases, possibly in another process. */
  const recorded = (): RecordedChanges => (state.hasDurable() ? components.get().recorded : none);
  const adopted = (): ChangesComponents => {
    state.ensureAdopted();
    return components.get();
  };
  const collectLateWrites = async (): Promise<void> => components.peek()?.writer.collectLateWrites();
  if (dependencies.isPassive !== true && state.hasDurable())
    await recoverUnlessDamaged(() => components.get().writer.recover());
  return {
    writer: {
      write: async (requested, metadata) => adopted().writer.write(requested, metadata),
      holdForApproval: async (...args) => adopted().writer.holdForApproval(...args),
      recentActivity: (connection) => recorded().recentActivity(connection),
      recover: () => components.get().writer.recover(),
      collectLateWrites,
    },
    stamps,
    list: (filter) => recorded().list(filter),
    countListed: (filter) => recorded().countListed(filter),
    days: (count, zone) => recorded().days(count, zone),
    count: () => recorded().count(),
    find: (id) => recorded().find(id),
    findExpired: (id) => recorded().findExpired(id),
    laterPaths: (id) => recorded().laterPaths(id),
    movesAfter: (at) => recorded().movesAfter(at),
    position: () => recorded().position(),
    relocationsSince: (position) => recorded().relocationsSince(position),
    undonePaths: (id) => recorded().undonePaths(id),
    recentMassDeletion: () => recorded().recentMassDeletion(),
    isUserAuthored: async (path, bytes) => recorded().isUserAuthored(path, bytes),
    isLastOwnWrite: async (path, bytes) => recorded().isLastOwnWrite(path, bytes),
    fileVersions: async (path) => recorded().fileVersions(path),
    undo: async (id, options) => recorded().undo(id, options),
    restore: async (...args) => recorded().restore(...args),
    approve: async (id, options) => recorded().approve(id, options),
    reject: async (id) => recorded().reject(id),
    files: async () => recorded().files(),
    readPastFiles: async (...args) => recorded().readPastFiles(...args),
    completeTip: async () => recorded().completeTip(),
    expire: async (...args) => recorded().expire(...args),
    compactHistory: async () => recorded().compactHistory(),
    checkHistory: async () => recorded().checkHistory(),
    withExclusiveAccess: async (work) => recorded().withExclusiveAccess(work),
    async record() {
      try {
        await collectLateWrites();
      } finally {
        await recorded().record();
      }
    },
    async recordExternalEdits(paths, awaited) {
      // Late writes become a change of their own and must be in history first. If collecting them fails, the next call
      // tries again.
      await collectLateWrites().catch(() => undefined);
      return paths.length > 0 ? adopted().history.record(paths, awaited) : recorded().record();
    },
    baseline: {
      findMissing: async (paths) => recorded().findMissing(paths),
      addToBaseline: async (paths) => adopted().history.addToBaseline(paths),
      markBaselineComplete: async () => adopted().history.markBaselineComplete(),
    },
    flush() {
      try {
        components.peek()?.journal.flush();
      } catch {
        // A failure here has the same effect as a crash: the next start derives the states from the files.
      }
    },
  };
}

/** With a damaged database notes can still be read; everything that needs the database fails when it is used. */
async function recoverUnlessDamaged(recover: () => Promise<unknown>): Promise<void> {
  try {
    await recover();
  } catch (error) {
    if (!(error instanceof Error && isDatabaseCorrupt(error.cause ?? error))) throw error;
  }
}

type ChangesComponents = { journal: Journal; writer: Writer; history: History; recorded: RecordedChanges };

function openAll(
  { folder, durable, locks, leases, onLostLock, assertNotReplaced }: ChangesDatabases,
  { root, clock, listeners, searchPath, replicate = (local) => local, checkQuota }: Dependencies,
  stamps: Stamper,
): ChangesComponents {
  const journal = replicate(createJournal(durable, assertNotReplaced), durable);
  const locking = { database: locks, leases, onLost: onLostLock, clock, assertNotReplaced };
  const lock = createWriterLock(locking);
  const historyLock = createWriterLock({ ...locking, name: 'historian' });
  const repository = createRepository(join(folder, 'history.git'), searchPath, clock);
  const layout = createLayoutReader(root);
  const comparer = createComparer((path) => layout().isChangelog(path));
  const history = createHistory({ root, clock, journal, lock: historyLock, repository });
  const replaced = createReplacedFiles(root, durable);
  const writer = createWriter({ root, lock, journal, replaced, clock, listeners, comparer, checkQuota });
  const recorded = createRecordedChanges({
    root,
    clock,
    stamps,
    comparer,
    journal,
    writer,
    lock,
    history,
    historyLock,
    repository,
    layout,
  });
  return { journal, writer, history, recorded };
}
