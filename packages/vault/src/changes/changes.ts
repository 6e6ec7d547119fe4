import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { Clock } from '../contract/index.ts';
import { layoutReader } from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { ChangeDecisions } from './change-decisions.ts';
import type { ChangeQueries } from './change-queries.ts';
import { createComparer } from './comparer.ts';
import type { FileOrigins } from './file-origins.ts';
import { createHistory } from './history.ts';
import type { History } from './history.ts';
import { createJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { createReplacedFiles } from './look-back.ts';
import { createRecordedChanges, noRecordedChanges } from './recorded-changes.ts';
import type { HistoryAccess, RecordedChanges } from './recorded-changes.ts';
import type { RecordedEdits } from './record-files.ts';
import { createRepository } from './repository.ts';
import { createStamps } from './stamps.ts';
import type { Stamps } from './stamps.ts';
import { createWriterLock } from './writer-lock.ts';
import { createWriter } from './writer.ts';
import type { Admit, CommitListener, Writer } from './writer.ts';

/** Everything that changes the vault, and everything that tells of it. */
export type Changes = ChangeQueries &
  FileOrigins &
  ChangeDecisions &
  HistoryAccess & {
    writer: Writer;
    stamps: Stamps;
    /** Looks once more at what was replaced, and brings history up to date. Nobody who writes waits for it. */
    record(): Promise<void>;
    /** The same, and makes changes of what was edited outside in these files; tells which are done with. */
    recordOutside: (paths: readonly VaultPath[]) => Promise<RecordedEdits>;
    /** So that a file can come back that goes before its first change: see `History`. */
    baseline: Pick<History, 'missing' | 'addMissing' | 'setComplete'>;
    /** Writes what was left for later. To be called before the databases are closed. */
    flush(): void;
  };

type ChangesDatabases = {
  folder: string;
  durable: Database;
  locks: Database;
  /** Throws when they are no longer those in the folder: what is written into them would be lost. */
  confirm: () => void;
};

/** Where changes are written down. The databases are opened when they are first needed: who only reads needs none. */
type ChangesState = {
  /** Whether anything was ever written: if not, there is nothing to complete and nothing to tell. */
  hasDurable(): boolean;
  /** Makes the folder a vault if it was none. Called before everything that is written. */
  adopt(): string;
  /** What is made from the databases; made anew when the first write has moved them. */
  follow<Made>(make: (databases: ChangesDatabases) => Made): {
    open(): Made;
    /** Null while nothing is open. */
    present(): Made | null;
  };
};

type Parts = {
  root: VaultRoot;
  clock: Clock;
  listeners: readonly CommitListener[];
  state: ChangesState;
  /** Where git is looked for. */
  searchPath: string;
  /** What else has to have what the journal promises. */
  replicate?: ((local: Journal, durable: Database) => Journal) | undefined;
  admit?: Admit | undefined;
};

/** Completes first what a crash may have interrupted. */
export async function openChanges(parts: Parts): Promise<Changes> {
  const { root, clock, state } = parts;
  const stamps = createStamps(root);
  const opened = state.follow((databases) => openAll(databases, parts, stamps));
  const none = noRecordedChanges(clock);
  /** Asked each time: the first write makes the databases, perhaps in another process. */
  const recorded = (): RecordedChanges => (state.hasDurable() ? opened.open().recorded : none);
  const adopted = (): Opened => {
    state.adopt();
    return opened.open();
  };
  const lookBack = async (): Promise<void> => opened.present()?.writer.lookBack();
  if (state.hasDurable()) await opened.open().writer.recover();
  return {
    writer: {
      write: async (wanted, why) => adopted().writer.write(wanted, why),
      hold: async (...given) => adopted().writer.hold(...given),
      lately: (connection) => recorded().lately(connection),
      recover: () => opened.open().writer.recover(),
      lookBack,
    },
    stamps,
    list: (which) => recorded().list(which),
    days: (count, zone) => recorded().days(count, zone),
    count: () => recorded().count(),
    find: (id) => recorded().find(id),
    takenBack: (id) => recorded().takenBack(id),
    loss: () => recorded().loss(),
    isPersons: async (path, bytes) => recorded().isPersons(path, bytes),
    isAsLeft: async (path, bytes) => recorded().isAsLeft(path, bytes),
    versionsOf: async (path) => recorded().versionsOf(path),
    undo: async (id, options) => recorded().undo(id, options),
    restore: async (id, path) => recorded().restore(id, path),
    approve: async (id, onConflict) => recorded().approve(id, onConflict),
    reject: async (id) => recorded().reject(id),
    files: async () => recorded().files(),
    completeTip: async () => recorded().completeTip(),
    lookAtHistory: async () => recorded().lookAtHistory(),
    whileStill: async (work) => recorded().whileStill(work),
    async record() {
      try {
        await lookBack();
      } finally {
        await recorded().record();
      }
    },
    async recordOutside(paths) {
      // A change of its own, which is to be in history before anything else is; what fails at it is tried again.
      await lookBack().catch(() => undefined);
      return paths.length > 0 ? adopted().history.record(paths) : recorded().record();
    },
    baseline: {
      missing: async (paths) => recorded().missing(paths),
      addMissing: async (paths) => adopted().history.addMissing(paths),
      setComplete: async () => adopted().history.setComplete(),
    },
    flush() {
      try {
        opened.present()?.journal.flush();
      } catch {
        // As if the process had ended a moment earlier: the next start looks at the files.
      }
    },
  };
}

type Opened = { journal: Journal; writer: Writer; history: History; recorded: RecordedChanges };

function openAll(
  { folder, durable, locks, confirm }: ChangesDatabases,
  { root, clock, listeners, searchPath, replicate = (local) => local, admit }: Parts,
  stamps: Stamps,
): Opened {
  const journal = replicate(createJournal(durable, confirm), durable);
  const lock = createWriterLock({ database: locks, clock, confirm });
  const historian = createWriterLock({ database: locks, name: 'historian', clock, confirm });
  const repository = createRepository(join(folder, 'history.git'), searchPath, clock);
  const layout = layoutReader(root);
  const comparer = createComparer((path) => layout().isChangelog(path));
  const history = createHistory({ root, clock, journal, lock: historian, repository });
  const replaced = createReplacedFiles(root, durable);
  const writer = createWriter({ root, lock, journal, replaced, clock, listeners, comparer, admit });
  const recorded = createRecordedChanges({
    root,
    clock,
    stamps,
    comparer,
    journal,
    writer,
    lock,
    history,
    historian,
    repository,
  });
  return { journal, writer, history, recorded };
}
